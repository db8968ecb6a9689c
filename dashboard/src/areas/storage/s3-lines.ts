/** What a client is told, ready to be copied. */
export interface Connection {
  accessKeyId: string;
  secretAccessKey: string;
  /** With the base path. */
  endpoint: string;
  /** Without one; null: the operator has not published it. */
  rootEndpoint: string | null;
  region: string;
  bucket: string;
}

/** Of a client: what a shell, a program or a file of configuration takes. */
interface Line {
  language: string;
  code: string;
}

export function s3Lines(to: Connection): Line[] {
  const { accessKeyId, secretAccessKey, endpoint, region, bucket } = to;
  // For clients that cannot take a base path.
  const root = to.rootEndpoint ?? 'https://s3.example.com';
  const note =
    to.rootEndpoint === null ? '# The address of MAINSTAY_S3_PORT, which the operator publishes:\n' : '';
  const host = root.replace(/^https?:\/\//, '');
  const keys = `export AWS_ACCESS_KEY_ID=${accessKeyId}\nexport AWS_SECRET_ACCESS_KEY=${secretAccessKey}`;
  return [
    {
      language: 'AWS CLI',
      code: `${keys}\nexport AWS_REGION=${region}\naws --endpoint-url ${endpoint} s3 sync ./files s3://${bucket}`,
    },
    {
      language: 'rclone',
      code:
        'rclone config create mainstay s3 provider=Other force_path_style=true \\\n' +
        `  access_key_id=${accessKeyId} secret_access_key=${secretAccessKey} \\\n` +
        `  endpoint=${endpoint} region=${region}\nrclone sync ./files mainstay:${bucket}`,
    },
    {
      language: 's3cmd',
      code:
        `${note}s3cmd --access_key=${accessKeyId} --secret_key=${secretAccessKey} --region=${region} \\\n` +
        `  --host=${host} --host-bucket=${host}${root.startsWith('http:') ? ' --no-ssl' : ''} sync ./files/ s3://${bucket}/`,
    },
    {
      language: 'restic',
      code: `${note}${keys}\nrestic -r s3:${root}/${bucket} init\nrestic -r s3:${root}/${bucket} backup ./files`,
    },
    {
      language: 'boto3',
      code: [
        'import boto3',
        '',
        's3 = boto3.client(',
        '    "s3",',
        `    endpoint_url="${endpoint}",`,
        `    region_name="${region}",`,
        `    aws_access_key_id="${accessKeyId}",`,
        `    aws_secret_access_key="${secretAccessKey}",`,
        '    config=boto3.session.Config(signature_version="s3v4", s3={"addressing_style": "path"}),',
        ')',
        `s3.upload_file("file.txt", "${bucket}", "file.txt")`,
      ].join('\n'),
    },
    {
      language: 'JavaScript',
      code: [
        "import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';",
        '',
        'const s3 = new S3Client({',
        `  endpoint: '${endpoint}',`,
        `  region: '${region}',`,
        '  forcePathStyle: true,',
        `  credentials: { accessKeyId: '${accessKeyId}', secretAccessKey: '${secretAccessKey}' },`,
        '});',
        `await s3.send(new PutObjectCommand({ Bucket: '${bucket}', Key: 'hello.txt', Body: 'Hello' }));`,
      ].join('\n'),
    },
    {
      language: 'Terraform',
      code: [
        'terraform {',
        '  backend "s3" {',
        `    bucket         = "${bucket}"`,
        '    key            = "terraform.tfstate"',
        `    region         = "${region}"`,
        `    access_key     = "${accessKeyId}"`,
        `    secret_key     = "${secretAccessKey}"`,
        `    endpoints      = { s3 = "${endpoint}" }`,
        '    use_path_style = true',
        '    use_lockfile   = true',
        '',
        '    skip_credentials_validation = true',
        '    skip_requesting_account_id  = true',
        '    skip_metadata_api_check     = true',
        '    skip_region_validation      = true',
        '  }',
        '}',
      ].join('\n'),
    },
  ];
}

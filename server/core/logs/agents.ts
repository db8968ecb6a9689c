/** Programs that fetch by themselves and say so: crawlers, monitors, libraries, command lines. */
const bots =
  /bot\b|bot[/;_-]|crawl|spider|slurp|archiver|monitor|uptime|pingdom|preview|facebookexternalhit|scrap|headless|lighthouse|curl\/|wget\/|python|java\/|okhttp|go-http|node-fetch|undici|axios|libwww|httpclient|feed|rss|validator|scanner|nmap|zgrab|masscan/i;

export function isBot(userAgent: string | undefined): boolean {
  // Browsers always say what they are.
  return !userAgent || bots.test(userAgent.slice(0, 512));
}

/** The first that is found names the family: browsers claim to be others too, and name themselves last. */
const families: readonly (readonly [RegExp, string])[] = [
  [/\b(googlebot|bingbot|duckduckbot|yandexbot|applebot|gptbot|claudebot|ahrefsbot|semrushbot)\b/i, ''],
  [/\b([a-z]{2,32}bot)\b/i, ''],
  [/\b(curl|wget|okhttp|axios|undici|node-fetch|python-requests|go-http-client|postman|insomnia)\b/i, ''],
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\bHeadlessChrome\//, 'Headless Chrome'],
  [/\b(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

/** "Chrome", "Googlebot", "curl": what the statistics count by. Null without a user agent. */
export function agentFamily(userAgent: string | undefined): string | null {
  if (!userAgent) return null;
  const text = userAgent.slice(0, 512);
  for (const [pattern, name] of families) {
    const found = pattern.exec(text);
    if (found) return name || (found[1] as string);
  }
  return text.slice(0, 40).split(/[/ (;]/, 1)[0] || 'other';
}

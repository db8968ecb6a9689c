import type { ContactRole } from '../record.ts';

/**
 * The words of the world's registries, in the normal form of labels.ts: lower-case, without accents, marks, brackets
 * and final digits. A new registry is most often a new word here; formats of their own are in families/.
 */

/** What belongs to the domain itself. `registration` is a second, vaguer status that some registries add. */
export type DomainField =
  | 'name'
  | 'id'
  | 'status'
  | 'registration'
  | 'created'
  | 'updated'
  | 'expires'
  | 'nameserver'
  | 'dnssec'
  | 'description';

export const domainLabels: Record<DomainField, string> = {
  name: 'domain|domain name|domainname|dominio|nombre de dominio|query|complete domain name|domain name ascii|ドメイン名',
  id: 'domain id|registry domain id|roid|domain roid|norid handle',
  status:
    'status|domain status|state|domain state|estatus|estatus del dominio|estado|query status|flags|statut|' +
    'domain statuses|statuses|epp status|epp statuses|domain epp status|status flags|object status|current status|状態|domain domain status|domaintype|' +
    'status of domain|etat|etat du domaine|stato|situacao|situacion|stav|stan|durum',
  registration: 'registration status|re registration status|renewal status|ren status',
  created:
    'created|created on|created date|created at|reg created|create date|creation date|creation time|creation|date created|' +
    'registered|registered on|registered date|registered since|registration date|registration time|' +
    'registration|date registered|first registration date|domain registration date|record created|' +
    'record created on|domain created|domain created on|domain create date|domain creation date|domain registered|' +
    'domain registered on|domain record activated|activation|activation date|activated|activated on|assigned|' +
    'entry created|commencement date|domain name commencement date|domain dateregistered|domain date registered|' +
    'fecha de creacion|fecha de registro|fecha registro|creado|creado el|date|record activated|registration on|' +
    'data de criacao|data de registo|data creazione|data di creazione|data di registrazione|data de registro|fecha de alta|' +
    'erstellt|angelegt|registriert|registrierungsdatum|aangemaakt|datum registratie|geregistreerd|utworzony|zarejestrowany|' +
    'kayit tarihi|olusturulma tarihi|vytvoreno|registrace|criado|criado em|registrado el|enregistre le|cree le|' +
    'date de creation|data inregistrarii|created time|' +
    'domain name registration date|original creation date|date of registration|since|domain registered since|登録年月日',
  updated:
    'updated|updated date|updated on|update date|date updated|last updated|last updated on|last updated date|' +
    'last update|last update date|last modified|last modified on|last modified date|last changed|last change|' +
    'record modified|record modified on|modified|modified date|modified on|modification date|date modified|changed|record last updated|' +
    'record last updated on|record last modified|record last modified on|record updated|record updated on|' +
    'domain record last updated|domain last updated|domain last updated date|domain updated|domain datelastmodified|' +
    'domain date last modified|entry updated|ultima actualizacion|ultima modificacion|fecha de modificacion|' +
    'fecha de actualizacion|database last updated on|last edited|last edited on|last edit|updated time|' +
    'domain modified|modification|ultimo aggiornamento|ultima modifica|letzte anderung|letzte aenderung|geandert|geaendert|' +
    'derniere modification|mis a jour le|laatst gewijzigd|gewijzigd|ostatnia modyfikacja|son guncelleme|zmeneno|alterado|' +
    'actualizado|ultima atualizacao|last modification|data de atualizacao|domain modification date|最終更新',
  expires:
    'expires|expires on|expires at|expire|expire date|expire on|expired|expired date|expiry|expiry date|expiry on|' +
    'expiration|expiration date|expiration time|expiration on|registry expiry date|registry expiration date|' +
    'registrar registration expiration date|registrar expiration date|registration expiration date|' +
    'registration expires|registration expiry date|renewal date|renewal|renew date|renewal due|paid till|paid until|' +
    'valid until|valid till|valid to|valid date|validity|domain expires|domain expires on|domain expiration date|' +
    'domain expiry date|domain expiration|record expires|record expires on|record will expire on|record expiration|' +
    'record expired on|exp date|fecha de vencimiento|fecha de expiracion|fecha vencimiento|date of expiration|' +
    'date of expiry|date expires|domain datebilleduntil|billed until|registered until|domain valid until|' +
    'expira|expira el|scadenza|data scadenza|data di scadenza|ablaufdatum|gultig bis|gueltig bis|lauft ab|vervaldatum|' +
    'geldig tot|wygasa|data wygasniecia|bitis tarihi|platnost do|fecha de caducidad|caducidad|vencimiento|vencimento|validade|' +
    'expire le|data de expiracao|date d expiration|anniversary date|domain name expiration date|' +
    'due date|next due|domain renewal date|expiration at|有効期限',
  nameserver:
    'name server|name servers|nameserver|nameservers|nserver|nservers|ns|dns|dns server|dns servers|dns name|ns name|' +
    'name server name|name server information|name servers information|domain server|domain servers|domain nameserver|' +
    'domain nameservers|domain name server|domain name servers|domain servers in listed order|' +
    'nameserver in listed order|nameservers in listed order|name servers in the listed order|' +
    'name servers in listed order|domain name servers in listed order|domain name servers listed in order|host name|hostname|primary server|' +
    'secondary server|primary name server|secondary name server|primary nameserver|secondary nameserver|primary ns|' +
    'secondary ns|tertiary ns|primary dns|secondary dns|servers|servidores de nombre|servidores de nombres|' +
    'servidores de nombre de dominio|servidores de nombres de dominio|servidor de nombres de dominio|' +
    'servidor de nombre|servidores dns|serveur de noms|serveurs de noms|serveurs dns|serwery nazw|server dns|servidor dns|naamservers|' +
    'alan adi sunuculari|authoritative name servers|delegated name servers|' +
    'registered nameservers|ns server|dns hostname|dns host|name server db|nserver fqdn|fqdn|ns hostname|' +
    'servidor|servidor es de nombres de dominio|namesrv|domain dns|nameservers information',
  dnssec: 'dnssec|dnssec signed|dnssec status|domain signed|signed',
  description: 'descr',
};

/** Said of a contact or registrar too: inside such a section these are not the domain's. */
export const sharedLabels =
  'created|created on|created date|registered|registered on|assigned|activated|changed|modified|modified date|updated|' +
  'updated date|updated on|last update|last updated|last updated on|last modified|last changed|status|state|expires|' +
  'registration date|date|creation date';

/**
 * The four contacts and those beside them. `through` is who sold the name, not always a registrar; `other` takes the
 * lines of a party that the record has no place for.
 */
export type Party = ContactRole | 'registrar' | 'abuse' | 'through' | 'other';

export const partyLabels: Record<Party, string> = {
  registrant:
    'registrant|owner|holder|domain holder|domain owner|domain owners registrant|domain owners|domain registrant|' +
    'registrant contact|owner contact|holder of domain name|organization using domain name|' +
    'organisation using domain name|titular|titular del dominio|licensee|holder c|owner c|registered to|' +
    'domain name registrant|domain name holder|titulaire|registered for|registrant information|proprietor|' +
    'registrant contact information|domain licensee|domain holder contact|titulario|registrante|propietario|proprietaire|proprietario|intestatario|inhaber|domaininhaber|houder|domeinnaamhouder|' +
    'abonent|vlastnik|majitel|drzitel|detentor|sahibi|alan adi sahibi|person responsible|registrant c',
  admin:
    'admin|adm|administrative|administrativ contact|administrative contact|administrative contacts|admin contact|admin contacts|' +
    'administrator|admin c|adm c|administration contact|contacto administrativo|contact administratif|' +
    'administrativo|administrative contact agent|administrative contact information|adminstrative contact|ac|' +
    'administration|administrador|administrative c|responsable administrativo|contatto amministrativo|contato administrativo|administrativer ansprechpartner|' +
    'administratief contact|kontakt administracyjny|admin contact information|contact administrative',
  tech:
    'tech|tec|technical|technical contact|technical contacts|tech contact|tech contacts|technical c|tech c|tec c|' +
    'contacto tecnico|contact technique|tecnico|technical contact information|registrar technical contacts|' +
    'agent technical contacts|technique|tc|technical administrator|responsable tecnico|contatto tecnico|contato tecnico|technischer ansprechpartner|technisch contact|kontakt techniczny|contact technical',
  billing:
    'billing|bill|billing contact|billing contacts|billing c|bill c|contacto de cobranza|contacto financiero|' +
    'billing contact information|invoice|financial|contact de facturation|facturacion|contacto de facturacion|' +
    'payment contact|accounting|cobranza|contacto facturacion',
  registrar:
    'registrar|sponsoring registrar|registrar information|registrar contact|registrar contact information|' +
    'current registrar|current registar|registration service provider|rsp|registrar of record|provider|registered by|' +
    'registrado por|authorized agency|agent|registration agent|domain managers|last registrar|managing registrar|' +
    'registration service|registrar organization|registrar company|accredited registrar|registrador|agente registrador|sponsor|sponsoring organization|registrar sponsor|bureau enregistrement|rejestrator|' +
    'registratore|kayit firmasi|kayit sirketi|' +
    'bureau d enregistrement|domain registrar|service provider|maintained by registrar|account',
  through: 'registered through|domain registration service provided by|isp',
  abuse: 'abuse contact|abuse contacts|registrar abuse contact',
  other:
    'reseller|registration service provided by|domicile|zone|zone c|zone contact|onsite|legal c|domain prohibit status|' +
    'name server handle|tech c handle|legal c handle|domain holder handle|registrar handle|key|keys|mntner|nsset|keyset|' +
    'privacy|trademark|additional section|network contact|security contact|president|ns list|resource records|' +
    'mail server records|active variants|inactive variants|data validation|registrant type|public contact|mailserver',
};

/** What is said of a party. `given` and `family` make a name; `link` is a registrar's address on the web. */
export type PartyField =
  | 'name'
  | 'given'
  | 'family'
  | 'organization'
  | 'street'
  | 'city'
  | 'state'
  | 'postalCode'
  | 'country'
  | 'phone'
  | 'phoneExt'
  | 'fax'
  | 'faxExt'
  | 'email'
  | 'handle'
  | 'link'
  | 'whoisServer'
  | 'ianaId'
  | 'kind';

export const fieldLabels: Record<PartyField, string> = {
  name:
    'name|full name|person|contact name|person name|personname|role|nombre|responsible|responsible person|contact person|nom|' +
    'person loc|holder english name|attn name|name and surname|navn|namn|nimi|naam|nome',
  given: 'given name|first name|firstname|forename',
  family: 'family name|last name|lastname|surname',
  organization:
    'organization|organisation|org|orgname|org name|organization name|organisation name|company|company name|' +
    'company english name|organizacion|organization loc|name of organization|name of the organisation|organizacao|' +
    'org org|department|department name|legal name|organisation org|organization org',
  street:
    'street|address|addr|street address|postal address|post address|direccion|adress|adresse|adres|strasse|' +
    'street loc|address loc|mailing address|location|address line|endereco|street no|road',
  city: 'city|town|locality|post area|postal area|ciudad|ville|ort|city locality|city loc|cidade|city town',
  state:
    'state|province|state province|stateprovince|province state|region|county|stateprov|state or province|provincia|' +
    'state loc|province loc|departamento|prefecture|state territory|state region',
  postalCode:
    'postal code|zip|zip code|zipcode|postcode|post code|postalcode|pcode|pc|plz|zip postal code|postal code zip|' +
    'codigo postal|postal code loc|postal|cp|zip postcode|zip post code|zippostal code',
  country: 'country|country code|countrycode|country economy|country loc|pais|country name|pays|nation',
  phone:
    'phone|phone number|telephone|telephone number|tel|tel no|voice|voice number|telefono|phone no|contact number|' +
    'telefon|telephon|phone voice|voice phone|telefone|hotline|work phone|mobile|telf',
  phoneExt: 'phone ext|phone extension|telephone ext|voice ext',
  fax: 'fax|fax no|fax number|faxno|fax phone|facsimile|facsimile number|telefax|fax voice',
  faxExt: 'fax ext|fax extension|facsimile ext',
  email:
    'email|e mail|e mailbox|mail|email address|e mail address|electronic mail|correo|correo electronico|mailbox|eposta|e post|' +
    'holder email|courriel|public email|mail address|emailaddress|customer service email|customer service contact',
  handle:
    'id|contact id|contact hdl|handle|nic handle|nic hdl|nic hdl br|nichandle|contact handle|pid|hun id|nic id|nic|tag|' +
    'organization id|organisation id|ident',
  link: 'url|website|web|www|web site|homepage|referral url|registration url|web page|service url|home page|site',
  whoisServer: 'whois server|whois|port 43 server|registrar whois',
  ianaId: 'iana id',
  kind: 'type|contact type|type of contact|entity type',
};

/** Headers that end what stands before them and start nothing of their own. */
export const closingLabels =
  'additional information|additional info|relevant dates|domain information|domain details|status information|' +
  'dnssec ds records|details|domain name information|important dates|contact|contacts|contact information|' +
  'additional data|domain data|registration information|domain record';

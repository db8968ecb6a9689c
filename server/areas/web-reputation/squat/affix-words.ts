/**
 * Words that are put around a protected name to make a false one (combosquatting; Kintis et al., "Hiding in Plain
 * Sight", CCS 2017). `pressing` words ask for money, credentials or haste: beside them even an ordinary word or a short
 * name is an imitation (chase-verify, dhl-delivery). They stand in English first, then in Spanish, French, German, Italian,
 * Portuguese, Dutch, Polish, Turkish and Indonesian. The others count beside a distinctive name only.
 */
const words = (text: string) => new Set(text.trim().split(/\s+/));

export const pressingWords = words(`
  account accounts accountid accs acct activate activation activity admin alert alerts app apps appeal appeals approve
  auth authenticate authentication authenticator authorize authorized autologin banking billing bill bills blocked
  cancel cancellation care center centre check checkpoint claim claims claimed client clients confirm confirmation
  confirmed connect connexion copyright credential credentials customer customers customercare customerservice
  customs deactivate deliver delivery deposit desk dispute disputes ebanking espace fraud fee fees gift giftcard
  giftcards gifts giveaway helpcenter helpdesk helpline hotline id identity ids inc incentive inicio invoice invoices
  kyc limited limit locked lock log logging login logins loginpage logon logout lost member members membership my myaccount myid
  notice notices notification notifications notify official online onlinebanking package packages parcel parcels pass
  passcode password passwords pay payment payments payout pending personal phone portal post postal prize prizes promo
  promotion protect protection purchase ref refund refunds register registration reimbursement release remove renew
  renewal request reschedule reset resolution resolve restore restrict restricted review reward rewards secure
  secured securelogin security securite session shipment shipping signin signon signup sso status stolen sub subscribe
  subscription support supportteam suspend suspended suspension tax team tech techsupport ticket toll track tracker
  tracking transaction transactions transfer transfers trust unlock unlocked unusual update updated updates upgrade
  usercenter validate validation verificar verification verified verify verifying verif voucher vouchers wallet wallets
  warning web webmail webscr winner winners www wwww ww www2 ww2 ww1 w3 secur seguro segura seguridad sicher sicherheit
  konto kunde kunden kundenservice anmelden compte client connexion espaceclient cuenta acceso banca cliente clientes
  conta acesso atualizar cadastro ingresar entrar suivi colis livraison envio paquete paket pakete zustellung soporte
  assistenza aggiornamento accesso servizio clienti serviceclient sav mobilebanking netbanking internetbanking
  onlineservice onlineservices redelivery dispatch unpaid duty tolls collect collection airdrop presale claimable
  seed recovery recover ledgerlive livechat com http https net ssl agree summary choose find
  ingreso iniciar iniciarsesion sesion clave claves contrasena cuentas verificacion confirmar confirmacion
  actualizar actualizacion ayuda atencion atencioncliente atencionalcliente pago pagos factura facturas cobro
  reembolso reembolsos devolucion devoluciones envios entrega entregas paqueteria rastreo rastrear seguimiento
  premio premios sorteo regalo regalos tarjeta tarjetas bloqueo bloqueada bloqueado desbloquear suspendida
  suspendido aviso avisos alerta alertas bancaenlinea enlinea oficial validar validacion registro registrarse
  promocion promociones aduana aduanas multa multas areaclientes
  connecter identification identifiant identifiants comptes moncompte monespace verifier verifiez confirmer
  actualiser actualisation miseajour assistance aide securise paiement paiements facture factures remboursement
  remboursements rembourser livraisons suivicolis envoi cadeau cadeaux gagnant gagnants carte bloque bloquee
  deblocage suspendu alerte avis enligne officiel valider inscription douane douanes amende amendes infraction
  anmeldung einloggen konten kundenkonto kundencenter kundenportal kundendienst bestaetigen bestaetigung
  bestatigung verifizieren verifizierung verifikation aktualisieren aktualisierung hilfe zahlung zahlungen
  rechnung rechnungen rueckerstattung ruckerstattung erstattung lieferung sendung sendungen sendungsverfolgung
  zoll gewinn gewinnspiel gutschein gutscheine geschenk gesperrt sperrung entsperren freischalten warnung
  mitteilung registrierung mahnung offiziell
  accedi conto contocorrente verifica verificare conferma confermare aggiorna aiuto supporto sicurezza sicuro
  pagamento pagamenti fattura fatture rimborso rimborsi spedizione spedizioni consegna consegne pacco pacchi
  tracciamento premi regali bloccata bloccato sblocco sblocca sospeso sospensione avviso avvisi ufficiale
  convalida registrazione promozione dogana areaclienti servizioclienti
  acessar contas verificacao confirmacao atualizacao suporte ajuda atendimento seguranca pagamentos fatura faturas
  boleto boletos restituicao encomenda encomendas rastreio rastreamento sorteio presente cartao bloqueio
  desbloqueio suspenso promocao alfandega resgate resgatar pontos segundavia validacao
  inloggen aanmelden rekening rekeningen verifieren verificatie bevestigen bevestiging bijwerken hulp
  klantenservice klant klanten beveiliging veilig betaling betalingen betaalverzoek factuur facturen terugbetaling
  terugbetalingen bezorging pakket pakketje verzending winnaar cadeaubon geblokkeerd blokkering deblokkeren
  opgeschort waarschuwing melding internetbankieren officieel validatie registratie boete incasso
  logowanie zaloguj konta weryfikacja weryfikuj potwierdz potwierdzenie aktualizacja aktualizuj pomoc wsparcie
  obsluga bezpieczenstwo bezpieczny platnosc platnosci faktura faktury zwrot zwroty dostawa paczka paczki
  przesylka przesylki sledzenie nagroda nagrody prezent zablokowane odblokuj zawieszone ostrzezenie powiadomienie
  bankowosc oficjalny rejestracja promocja mandat doplata
  giris girisyap oturum hesap hesabim dogrulama dogrula onay onayla guncelle guncelleme destek yardim guvenlik
  guvenli odeme odemeler faturalar iade teslimat kargo kargom takip gonderi odul oduller hediye cekilis askiya
  uyari bildirim bankacilik resmi kayit kampanya gumruk ceza musteri musterihizmetleri
  masuk akun verifikasi konfirmasi perbarui pembaruan bantuan dukungan layanan keamanan pembayaran tagihan
  pengembalian pengiriman lacak resi hadiah undian kupon diblokir blokir ditangguhkan peringatan pemberitahuan
  perbankan daftar denda pelanggan klaim
  bienvenida bienvenido bono bonos tramite tramites sucursal oferta ofertas gratis compra compras ganador ganadores
  encuesta cancelar cancelacion enlinea suscripcion cupones canje canjear puntos saldo estadodecuenta transferencias
  impots penalite retard prelevement virement concours enquete offre offres gratuit espaceperso regularisation
  abonnement mise miseajour achat bonachat boncadeau sondage remise dossier contravention codesecret
  pruefung prufung ueberpruefung uberprufung abbuchung lastschrift umfrage angebot kostenlos aktion zugang zugangsdaten
  daten nachweis umstellung datenabgleich pushtan freigabe praemie pramie einladung bonus abo nachnahme sperre karte
  carta scadenza recupero codice bolletta buono offerta vincita concorso sondaggio scaduto scaduta ritiro giacenza
  utente profilo saldi rimborsare abbonamento spedito tassa tasse
  comprovante pix ganhe ganhar brinde fgts extrato vencedor pesquisa agendamento recadastramento liberacao
  desconto descontos cupom resgates premiado
  volgen volg aflevering actie winactie enquete openstaand bankpas digipas aanvragen gegevens pas activeren abonnementen
  machtiging korting kortingscode herinnering
  clo rachunek formularz przelewy przelew blik promocje konkurs ankieta odbior paczkomat dane nadplata
  borc kilit acma kilitacma bedava ucretsiz sorgu sorgulama kazan kazandin anket islem puan aidat edevlet basvuru
  sifremi hesabi ihtarname
  pulsa otp kodeotp poin menang pemenang survei aktifkan undangan surat nasabah nomor cicilan pinjaman cukai beacukai
  pencairan ceksaldo
`);

/**
 * How pressing words begin in the nine languages, whatever they end in: verificacion, verifizieren, verificare. What follows is an
 * ending, of eight letters at most.
 */
export const pressingStems = words(`
  verif valid confirm conferm bestaetig bestatig bevestig potwierdz konfirm dogrula onayla weryfik verifik
  activ attiv aktiv aktyw ativa reactiv riattiv reativ actuali aggiorn aktuali atuali updat bijwerk guncelle perbaru pembaru
  secur securi segur sicherh sicurezz veilig bezpiecz guvenli keaman protec protez schutz beveilig
  pagam paiem pagar pagos zahlung bezahl nachzahl betaal betal platno oplat zaplat odeme bayar pembayar
  rembours reembols rimbors erstattung rueckzahl terugbetal zwrot iadesi pengembal restitu devol
  factur fattur fatura rechnung factuur faktur tagih boleto bollett
  livrais entreg consegn spedizi liefer sendung zustell bezorg zending pakket dostaw przesyl wysyl teslim gonderi kargo
  kirim pengirim encomend envio expedi suivi rastre rastrea tracci verfolg sledz lacak
  desbloq debloq sblocc entsperr freischalt ontgrendel deblokk odblok blokir bloque bloquea blocc gesperr geblokk zablok
  suspen sospes opgesch zawiesz askiya tangguh ditangguh
  alert avviso warnung waarschuw ostrzez uyari peringat melding benachricht hinweis powiadom bildirim pemberitahu notific
  premio premia recompens gewinn belonin nagrod odulu hadiah cadeau regal geschenk prezent hediye undian sorteo sorteio loteri
  cekilis kupon cupon coupon gutschein buono cheque bonific
  contrasen motdepass passwor passwort wachtwoord haslo sifre sandi senha identif identit identid identyf tozsamo kimlik
  conect connex anmeld einlogg inlogg aanmeld logow zalogu giris masuk acceder acceso accesso accedi acesso ingres
  cliente client clienti kunden klanten klient musteri pelangg abonn assinat langgan prenumer
  cuenta conta conto compte konto rekening hesap akun
  tarjet cartao carte karte kartu karta
  soport suport assist aide ayuda ajuda hilfe hulp pomoc wsparc yardim destek bantuan layanan servic
  renov rinnov verlaeng verlang verleng odnow yenile perpanj prolong vernieuw
  aduan douan dogana zollam alfandeg gumruk beacukai celny
  multa amende busgeld bussgeld boete mandat cezas tilang denda mahnung aanmaning wezwan ihtar relanc herinner erinner
  impuest impot steuer tasse belasting podatk vergi pajak imposto tributa
  tramit solicit demand antrag aanvrag wnios basvur pengaju richiest pedido zamow bestell siparis pesan
  registr inscri iscriz kayit daftar pendaftar rejestr aanmel cadastr recadastr
  descuent remise rabatt sconto descont kortin znizk indirim diskon rabat promo
  transfer ueberweis ubertrag bonifico overschr przelew havale pencair saldo balanc kontostand
  rechaz denied refus abgelehn afgewez odrzuc reddedil ditolak rifiut recus
`);

/**
 * Words that ask for credentials. Beside them, set apart by a hyphen or run together with nothing else, even a common word is
 * an imitation: dell-login, asosaccount.
 */
export const credentialWords = words(`
  login logins signin signon logon account accounts verify verification secure password passwords auth sso mylogin
  myaccount support helpdesk customerservice kundenservice connexion anmelden acceso accesso acesso inloggen zaloguj
  giris masuk verificar verifica verifizierung verificatie weryfikacja verifikasi dogrulama konto compte cuenta conta
  billing payment payments refund unlock recovery suspended customer customers helpcenter identity
`);

/**
 * Those of the ordinary words that lure: they speak of money, service or bargains, and suffice beside a long or distinctive name.
 * The others are added by owners and by those who write about a name as often as by squatters (githubblog, minecraftservers):
 * alone they tell nothing.
 */
export const luringWords = words(`
  access accessories account balance bank banks bet biz bonus booking buy buyer card cards cart cash charge chat
  cheap cloud codes coin coins commerce connection contact coupon coupons credit credits crypto deal deals
  discount discounts document documents domain email emails enable enroll exchange finance financial fix free
  freebies help info infos insurance invest investment invitation job jobs limited loan loans mail mailbox mails
  mall marketplace merchant message messages mobil mobile money mortgage net nets offer offers office oauth
  order orders outlet product products price prices redirect referral return returns safe safety sale sales save
  saver savings seller server service services servicio servico setting settings setup shop shopper shoppers
  shopping site sites store stores survey surveys telecom token tokens trade trading usdt user users verify vip
`);

export const ordinaryWords = words(`
  about access accessories active ad add addon ads advert advertising ai air all android api asia asset assets
  auto award awards backup balance bank banks base best beta bet biz block blog bonus booking bot box browser
  bug build business businesses buy buyer by cache call campaign capital car card cards cart cash catalog
  charge chat cheap cl choice choose click clone cloud co code codes com coin coins commerce connection
  console contact content contest control cool coupon coupons credit credits crypto css data date day deal
  deals demo dep dept device devices digital direct director discount discounts dns docs document documents
  domain download downloads drive driver drivers easy ec edit eight email emails en enable enroll es est eu
  europe ex exchange express extra eye fast feedback file files finance financial find fix follow follower
  followers food for form forms free freebies from fun future game games gaming gate gb generator german get
  gg go gold good group groups hd hello help here hey hi home host hosting hot hotel house how hr hq html http
  https ico icon in info infos inform information install installer instant insurance int intl international
  internet invest investment invite invitation io ip is it item items join jp js key keys kit less limited
  line link links lite live llc load loan loans local locate location locator lottery loyalty ltd lucky mail
  mailbox mailer mails main maintenance make mall manage manager management map marketing marketplace max me
  menu merchant message messages messaging messenger mini mint mining mobil mobile money more mortgage myapp
  net nets new newsletter next nft nfts nitro no number oauth of offer offers office offline on one onl online
  onlineshop onlinestore only open order orders org organization original orig our outlet pal partner partners
  pc permanent platform play pm point points policies policy pool popular pre premium price prices pricing
  prime print printer private product products profile profiles program properties property provider proxy qr
  query quick rate recruiter recruitment redirect referral regional remote rent repair reply res reservation
  reservations result results return returns route safe safety sale sales sandbox save saver savings sc scam
  scan score sdk search seller send serv serve server servers service services servicio servico setting
  settings setup share shares shoes shop shopper shoppers shopping shops show signals site sites smart sms
  social soft srv staging start storage store stores stream streaming student submit sun survey surveys
  swap switch sync sys tab tel telecom terms test testing the tips to today token tokens tool toolbar tools
  top trade trader trading travel trial true try two uae uk unit united unlimited up upload ups url us usa use
  used user users usd usdt utility va vacation valid value vault ver version via vid view vip virtual virus
  visit voice vpn wa way we wear website week welcome wifi win windows winning wireless with x xyz year you
  your de fr nl pl br mx ca cn au nz ch at be dk se fi pt gr tr ru ua ir il sa za ng ke eg id my sg th vn ph
  hk tw kr ar pe ve uy cr do gt pa ae qa kw pk bd lk np blue red black white gray grey pink
`);

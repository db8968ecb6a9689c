/**
 * Words that phishing puts beside names, by language: what a sender of such mail would write about accounts, payments, parcels
 * and prizes. Written down without the detector's list, which they examine.
 */
const words = (text: string): readonly string[] => text.trim().split(/\s+/);

export const comboWords = {
  english: words(`
    login verify account secure support update billing payment refund invoice delivery tracking confirm unlock alert reward
    claim gift password recovery suspended helpdesk service customer wallet identity notice renewal parcel customs dispute`),
  spanish: words(`
    iniciar-sesion acceso cuenta verificar seguridad soporte actualizar pago reembolso factura entrega rastreo confirmar
    desbloquear premio regalo contrasena suspendida ayuda cliente tarjeta identidad aviso renovar paquete aduanas sucursal
    tramite cupon bienvenida bono descuento validar banca`),
  french: words(`
    connexion compte verifier securite assistance mise-a-jour paiement remboursement facture livraison suivi confirmer
    debloquer alerte recompense cadeau motdepasse suspendu aide client carte identite avis renouvellement colis douane
    espace-client regularisation abonnement relance impots penalite bon-achat validation`),
  german: words(`
    anmelden konto verifizieren sicherheit hilfe aktualisieren zahlung erstattung rechnung lieferung sendungsverfolgung
    bestaetigen entsperren warnung praemie geschenk passwort gesperrt kundenservice kunde karte identitaet hinweis
    verlaengern paket zoll freigabe nachzahlung mahnung bonus einladung umstellung pruefung abo`),
  italian: words(`
    accedi account verifica sicurezza assistenza aggiornamento pagamento rimborso fattura consegna tracciamento conferma
    sblocca avviso premio regalo password sospeso aiuto cliente carta identita notifica rinnovo pacco dogana area-clienti
    codice accesso scadenza buono recupero attivazione bolletta`),
  portuguese: words(`
    entrar conta verificar seguranca suporte atualizar pagamento reembolso fatura entrega rastreamento confirmar desbloquear
    alerta premio presente senha suspensa ajuda cliente cartao identidade aviso renovar encomenda alfandega boleto
    cadastro recadastramento pontos resgate validar multa comprovante`),
  dutch: words(`
    inloggen rekening verifieren veiligheid hulp bijwerken betaling terugbetaling factuur bezorging volgen bevestigen
    ontgrendelen waarschuwing beloning cadeau wachtwoord geblokkeerd klantenservice klant pas identiteit melding verlengen
    pakket douane betaalverzoek activeren herinnering aanmaning machtiging kortingscode abonnement`),
  polish: words(`
    logowanie konto weryfikacja bezpieczenstwo pomoc aktualizacja platnosc zwrot faktura dostawa sledzenie potwierdz
    odblokuj ostrzezenie nagroda prezent haslo zablokowane obsluga klient karta tozsamosc powiadomienie odnowienie
    paczka clo doplata przelew rachunek kupon wezwanie zaleglosc formularz`),
  turkish: words(`
    giris hesap dogrulama guvenlik destek guncelleme odeme iade fatura teslimat takip onay kilit-acma uyari odul hediye
    sifre askida yardim musteri kart kimlik bildirim yenileme paket gumruk kargo borc kampanya cekilis basvuru
    ihtarname aidat`),
  indonesian: words(`
    masuk akun verifikasi keamanan bantuan pembaruan pembayaran pengembalian tagihan pengiriman lacak konfirmasi
    buka-blokir peringatan hadiah bonus sandi ditangguhkan layanan pelanggan kartu identitas pemberitahuan perpanjangan
    paket bea-cukai undian kupon promo saldo pencairan kodeotp undangan pulsa`),
} as const;

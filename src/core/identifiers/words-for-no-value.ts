/**
 * Words that stand for no value, in the languages and programs that write them. Of most, only letters and digits count,
 * without accents.
 */

/** Letters and digits of a text, without accents. */
export function keyOf(text: string): string {
  return text.normalize('NFKD').replace(/[^\p{L}\p{N}]/gu, '');
}

function toWords(text: string): string[] {
  return text.trim().split(/\s+/);
}

function toKeys(...words: readonly string[]): ReadonlySet<string> {
  return new Set(words.flatMap(toWords).map((word) => keyOf(word.toLowerCase())));
}

/** Short forms that are no value only with their punctuation. */
export const SHORT: ReadonlySet<string> = /* @__PURE__ */ new Set(
  toWords(`
  n/a n.a. n.a n-a n\\a n/d n.d. n.d n/v n.v. n.v.t. nvt n/k n/s n/i n/c n.c. n.n. n.b. n.p. k.a. k.a k/a o.a. o.a o/a
  s/o s.o. s/d s.d. s/n s.n. s/i b/d b.d. b/n б/н н/д н.д. i/t na nan nat nil no ei nr xxx xxxx xxxxx
`),
);

/** What clients hash most where a value is missing, normalised. All of it is in the lists and rules, too. */
export const COMMON: readonly string[] = /* @__PURE__ */ toWords(`
  undefined null none nil nan nat array object [objectobject] true false 0 - n/a na n.a. k.a. #n/a \\n (null) <null>
  unknown unbekannt empty blank void nullptr infinity notprovided deleted anonymous test
`);

/** What tills and shop systems write as the name of a guest, in the words and the case of each. */
const GUESTS = `
  Guest Gast Walk-in Invitado Ospite Convidado Гость Gość ゲスト 游客 손님 Customer Barkunde 散客 店頭 テスト
`;
/** Names of guests that are no words of a person either, as keys. */
const GUEST_KEYS = `
  guestcustomer guestuser walkincustomer cashsale consumidorfinal clientemostrador
`;

/** What programs write for yes. As a value of a person it is none, but in a column of answers it is one. */
export const YES: ReadonlySet<string> = /* @__PURE__ */ toKeys(`
  true wahr vrai verdadero verdadeiro vero waar prawda sant sand tosi pravda istina истина igaz doğru adevărat
`);

/** Words for no value: programs, then one line or more a language. */
export const LONG: ReadonlySet<string> = /* @__PURE__ */ toKeys(
  GUESTS,
  GUEST_KEYS,
  `
  none null nulo undefined unknown nothing void dbnull systemdbnull nullptr nonetype objectobject object array
  false falsch falso onwaar falskt usant epätosi ложь hamis yanlış fałsz infinity void0 promisepending
  blank empty missing default deleted removed redacted hidden masked private confidential withheld anonymous
  anonymized anonymised restricted
  notprovided notavailable notapplicable notset notspecified notgiven notknown notfound notentered notfilled
  notassigned notrecorded notonfile notsupplied notstated notdisclosed notlisted notdefined unspecified undisclosed
  unassigned unavailable unset uninitialized nodata novalue noinfo noinformation noentry norecord noname nobody noone
  deleteduser deletedcustomer deletedaccount gdprdeleted anonymoususer anonymouscustomer anonymizeduser stdclassobject
  anonymisiert pseudonymisiert geloschterbenutzer geloeschterbenutzer geloschterkunde geloeschterkunde
  tba tbd tbc pending refused declined invalid error test testing tester dummy placeholder sample fake dontknow
  donthave donotknow doesnothave decline prefernottosay prefernottoanswer emptystring emailprotected
  noemail noemailaddress nomail noemailprovided nophone nophonenumber nonumber nomobile noaddress nodomain nowebsite
  noip nocontact
  testuser khachle
  publicoengeneral clientecomptoir perakendemusteri розничныйпокупатель
  cashcustomer countersale firstlast firstnamelastname
  laufkundschaft barverkauf gastkunde vornamenachname maxmustermann erikamustermann johndoe janedoe testtest asdfasdf
  keine kein keiner keines keinen nichts unbekannt leer ohne fehlt fehlend entfallt entfaellt geloscht geloescht
  anonym keineangabe keineangaben keinemail keineemail keinetelefonnummer keinetel keinewebsite nichtangegeben
  nichtvorhanden nichtbekannt nichtverfugbar nichtverfuegbar nichtgesetzt nichtzutreffend ohneangabe privat
  habekeine ichhabekeine habekeinen keinevorhanden
  aucun aucune neant inconnu inconnue vide rien sansobjet nonrenseigne nonrenseignee nondisponible noncommunique
  noncommuniquee nonfourni nonapplicable nondefini nonprecise pasdemail pasdemel pasdetelephone pasdadresse
  pasdenumero sansemail sansmail sanstelephone supprime anonyme absent manquant
  ninguno ninguna ningun nada sindato sindatos sincorreo sinemail sinmail sintelefono sinnumero sininformacion
  nocorreo sinespecificar sinasignar desconocido desconocida vacio vacia noaplica nodisponible notiene noinformado noinforma
  nodefinido nosabe noproporcionado noespecificado noregistrado nocuenta nocuentacon notienecorreo anonimo eliminado
  borrado notengo notengocorreo notengoemail notengomail
  nenhum nenhuma desconhecido desconhecida vazio naoinformado naoinformada naodisponivel naotem naotenho naopossuo naopossui naoseaplica
  naoaplicavel naodefinido naoconsta sememail sememeil semtelefone seminformacao semdados semnumero ausente excluido
  nessuno nessuna niente sconosciuto sconosciuta vuoto nondisponibile nonfornito nonspecificato nondefinito
  nonapplicabile noncomunicato nonpresente assente mancante senzaemail senzatelefono nonnoto nessunamail
  geen onbekend leeg nietbekend nietingevuld nietopgegeven nietbeschikbaar nietvantoepassing geenemail geenmail
  geentelefoon ontbreekt anoniem
  brak nieznany nieznana nieznane pusty puste niepodano nieposiada niedotyczy nieokreslono brakdanych brakemail
  brakmaila braktelefonu anonimowy
  ingen inget inga intet okand ukjent ukendt saknas mangler tom tomt tyhja ejangivet ejangiven ikkeoppgitt ikkeangitt
  ikkeangivet ikkeoplyst ingenepost ingenmail eitietoa eiole eiilmoitettu tuntematon puuttuu eitiedossa pole puudub teadmata
  nezinams nav nera nezinoma ekkert othekkt
  zadny zadna zadne neznamy neznama nezname prazdne prazdny nevyplneno neuvedeno neuvedene nezadano nenivyplneno neni nema
  nemam nincs ismeretlen ures nincsmegadva nemismert nepoznato nepoznat prazno nijeuneseno niciunul niciuna necunoscut
  lipsa gol faraemail nespecificat nuare nuexista neznano
  yok bilinmiyor bos belirtilmemis belirtilmedi girilmemis mevcutdegil epostayok bilgiyok
  tidakada tidakpunya tidakdiketahui kosong tiada tidaktersedia belumdiisi khong khongco khongro trong chuaco walangemail wala
  hakuna haijulikani
  нет неизвестно неизвестен неизвестный неуказан неуказано неуказана неуказаны пусто отсутствует нетданных неимеется
  незаполнено ничего немає невідомо невказано порожньо няма неизвестна неизвестно няманито непознато нема
  κανενα κανενας καμια αγνωστο αγνωστος κενο δενυπαρχει τιποτα
  なし 無し 無 ナシ 不明 未入力 未登録 該当なし 未設定 空 空白 未定 ありません 非公開 削除済み
  无 没有 沒有 未知 未填写 未填寫 暂无 暫無 不详 不詳 未提供 空值 不适用 不適用 未设置 未設定 匿名 保密 已删除
  없음 없슴 모름 미입력 미정 미등록 미상 알수없음 해당없음 비공개 익명
  لايوجد لاشيء لايتوفر غيرمعروف غيرمتوفر غيرمتاح غيرمحدد فارغ مجهول بدون ندارد نامشخص خالی هیچ نامعلوم
  אין ריק לאידוע לאזמין לאצוין חסר ללא
  कोईनहीं नहीं अज्ञात उपलब्धनहीं खाली लागूनहीं
  ไม่มี ไม่ทราบ ไม่ระบุ ว่าง
  নেই অজানা இல்லை తెలియదు
`,
);

/** Texts that people type to get past a form. */
export const FILLERS: ReadonlySet<string> = /* @__PURE__ */ toKeys(`
  test tests testing tester test1 test12 test123 asdf asdfg asdfgh asd qwe qwer qwert qwerty abc abcd abcde foo bar
  email mail user username name yourname youremail myemail you your me example sample demo fake dummy temp 123 1234
  foobar barfoo guest admin gast invite nv xyz johndoe janedoe doe maxmustermann mustermann
  12345 123456 no na non nope nil nan noone nobody invalid x xx xxx
  teste prueba deneme essai prova proba ejemplo exemplo exemple esempio beispiel client cliente kunde klient asiakas
  ihreemail votreemail seuemail tuemail correo
`);

/** Local parts that say that there is no address. */
export const NO_EMAIL: ReadonlySet<string> = /* @__PURE__ */ toKeys(
  GUEST_KEYS,
  `
  walkin
  noemail noemails nomail noemailaddress noemailprovided noemailgiven noemailonfile nomailaddress emailnotprovided
  noaddress donthaveemail donthaveone doesnothaveemail hasnoemail withoutemail emailunknown unknownemail sinemail
  sinmail sincorreo notienecorreo notieneemail noposeecorreo keinemail keineemail ohneemail keineemailadresse
  pasdemail sansemail sansmail sememail naotememail senzaemail nonhaemail geenemail geenmail brakemail brakmaila
  ingenepost ingenemail eisahkopostia epostayok emailyok nincsemail faraemail noemailavailable notprovided
  notavailable nullmail placeholder deleted deleteduser customerdeleted erased
  donotemail donotmail invalidemail dummyemail dummymail fakeemail fakemail noemailneeded noemailhere noemailentered
  emailnotavailable missingemail emailmissing emaildeclined noemailsupplied noemailaddressprovided noemailfound
  psgdpr anonymized anonymised redacted gdprdeleted useranonymized customeranonymized accountdeleted userdeleted
  guestcheckout customerwithoutemail nouser notgiven nonha niemam hatkeine bezemailu
`,
);

/** What shop systems, and their plug-ins for privacy, write for an erased customer: `deleted-user_123`. */
export const ERASED = /* @__PURE__ */ new RegExp(
  '^(?:(?:gdpr|dsgvo|rgpd|avg|lopd)[-_.]?)?(?:deleted|erased|removed|redacted|purged|forgotten|anonymous|' +
    'pseudonymi[sz]ed|anonymi[sz]ed|gel(?:ö|oe)scht(?:e[rs]?)?|anonymisiert(?:e[rs]?)?|supprim[ée]e?|anonymis[ée]e?|' +
    'eliminad[oa]|borrad[oa]|anonimi[zs]ad[oa]|exclu[ií]d[oa]|anonimizzat[oa]|cancellat[oa]|verwijderde?|' +
    'geanonimiseerde?|usuni[ęe]t[yea]|zanonimizowan[yea]|anonymiserad|anonymiseret|raderad|slettet)' +
    '(?:[-_.]?(?:user|customer|account|buyer|member|client|person|contact|subscriber|guest|e?mail|order|kund(?:e|in)|' +
    'benutzer|nutzer|konto|utilisateur|usuario|cliente|klant|gebruiker|klient|kund))?' +
    '(?:[-_.]?(?:\\d[\\da-f_.-]{0,80}|[\\da-f]{8}[\\da-f-]{0,80}))?$',
  'u',
);

/** Texts that people type at a provider of mail to get past a form. Strangers have such addresses, if anyone. */
export const PROVIDER_FILLERS: ReadonlySet<string> = /* @__PURE__ */ toKeys(`
  test1 test12 test123 test1234 testuser testemail testmail asdf asdfg asdfgh asdfasdf qwer qwert qwerty user username
  yourname youremail myemail example temp email foobar abcde name customer customername client somebody someone anyone
  firstname lastname net nope teste prueba deneme ejemplo exemplo exemple esempio beispiel ihreemail votreemail
  votremail seuemail tuemail tucorreo
`);

/** Local parts that no person reads. */
export const NO_READER: ReadonlySet<string> = /* @__PURE__ */ toKeys(`
  noreply noreplies noresponse donotreply dontreply donotrespond nereply norespond noresponder noresponda naoresponda
  naoresponder nepasrepondre nerepondezpas nichtantworten keineantwort nonrispondere nietantwoorden nieodpowiadaj
  mailerdaemon devnull bounce bounces notification notifications benachrichtigung
  benachrichtigungen autoreply
`);

/**
 * Local parts that name a duty or a program, not a person: every domain that gets mail has the first three (RFC 5321,
 * RFC 2142), every web server the fourth, and machines the others. `srs0` and `srs1` stand for senders of other people.
 * `info`, `sales`, `support` and other boxes of a business are not here: in a small shop, one person reads them.
 */
export const ROLES: ReadonlySet<string> = /* @__PURE__ */ new Set(
  toWords('postmaster abuse hostmaster webmaster noc root daemon www-data uucp usenet ftp srs0 srs1'),
);

/** Boxes of a till, and words for a guest or a refusal, at domains of shops. */
export const TILLS: ReadonlySet<string> = /* @__PURE__ */ new Set(
  toWords(`
  pos guest cash kasse caisse comptoir caja mostrador cassa kassa barverkauf ladenkasse laufkunde laufkundschaft
  gdpr optout declined anonym anon unknown unbekannt inconnu desconocido
`),
);

/** What payment providers fill in for every buyer, and a registrar for every owner. */
export const FILLED_IN: ReadonlySet<string> = /* @__PURE__ */ new Set(
  toWords('void@razorpay.com guest@square.com contact@privacyprotect.org'),
);

/** Words for no value that are names of people, too: at a provider of mail, they may have an address. */
export const NAMES: ReadonlySet<string> = /* @__PURE__ */ toKeys(`
  nan na nil nat ei nr keiner nada tom bos wala nera nav gol trong blank leer noone pole khong brak anonym private void
  ures lipsa nema neni yok
`);

/** Those of {@link NAMES} that are first names or companies: one may have the domain of the same word. */
export const OWNERS: ReadonlySet<string> = /* @__PURE__ */ toKeys(
  'tom bos wala nat ei nera nav gol nan pole blank keiner',
);

/** Words for no value that are given names or companies, written as such. */
export const GIVEN: ReadonlySet<string> = /* @__PURE__ */ toKeys('vero tom inga blank nil nada nat nera bos pole');

/** First parts of domains that stand for any domain. */
export const ANY_DOMAIN: ReadonlySet<string> = /* @__PURE__ */ toKeys(`
  test tests testing domain yourdomain mydomain yourcompany mycompany anydomain somedomain email youremail none null
  no na nil nan undefined unknown noemail nomail noreply nowhere abc asdf asd qwe qwerty invalid fake dummy
  placeholder sample notprovided foo bar xyz doe x xx xxx
`);

/**
 * The most used providers of which one mailbox is one person, and marketplaces. Words for no value are typed with them
 * most. Others are in mail-hosts.ts, which pages load later.
 */
const MAIL_PROVIDERS: ReadonlySet<string> = /* @__PURE__ */ new Set(
  toWords(`
  gmail.com googlemail.com msn.com aol.com icloud.com me.com mail.com email.com ymail.com proton.me protonmail.com
  gmx.de gmx.net gmx.com gmx.at gmx.ch web.de t-online.de freenet.de mail.de bluewin.ch
  orange.fr free.fr wanadoo.fr sfr.fr laposte.net libero.it virgilio.it tim.it
  btinternet.com telenet.be ziggo.nl wp.pl onet.pl o2.pl seznam.cz centrum.cz freemail.hu
  mail.ru bk.ru inbox.ru list.ru yandex.ru yandex.com ya.ru ukr.net
  comcast.net verizon.net att.net sbcglobal.net cox.net bigpond.com uol.com.br bol.com.br
  qq.com 163.com 126.com sina.com naver.com hanmail.net daum.net docomo.ne.jp ezweb.ne.jp
  amazon.com amazon.de amazon.co.uk marketplace.amazon.com ebay.com ebay.de members.ebay.com etsy.com walmart.com
  paypal.com shopify.com google.com apple.com microsoft.com facebook.com
`),
);

/** Providers with a host for each country, and the countries. */
const MAIL_FAMILIES =
  /^(?:(?:yahoo|hotmail|outlook|live)\.(?:com|fr|de|it|es|be|nl|se|no|dk|ie|at)|(?:yahoo|hotmail|live)\.(?:co\.uk|ca|fi)|(?:yahoo|hotmail)\.(?:co\.jp|gr)|yahoo\.(?:co\.(?:in|id|th)|com\.(?:ar|au|br|hk|mx|ph|sg|tr|tw|vn)|in|ro)|hotmail\.com\.(?:ar|br|tr)|outlook\.(?:com\.(?:ar|br)|in|jp)|live\.(?:com\.(?:mx|ar|pt)|in|jp))$/;

/** Returns true for the host of a much used provider of mail or of a marketplace. */
export function isMailProvider(host: string): boolean {
  return MAIL_PROVIDERS.has(host) || MAIL_FAMILIES.test(host);
}

/** The exact texts that tools write for no value. As names, `Null`, `None` and `Nan` belong to people. */
export const TOOL_WORDS: ReadonlySet<string> = /* @__PURE__ */ new Set([
  ...toWords(GUESTS),
  ...toWords(`
  NULL null NaN nan undefined n/a N/A k.A. n.a. N.N. NIL nullptr Object unknown Unknown UNKNOWN unbekannt
  Unbekannt inconnu Inconnu desconocido Desconocido anonymous Anonymous noname なし 無し 不明 无 無 未知 없음 нет Нет
  неизвестно Неизвестно s/n S/N s/o S/O true false TRUE FALSE WAHR FALSCH VRAI FAUX VERDADERO FALSO deleted
  Deleted DELETED removed Removed REMOVED redacted Redacted REDACTED gelöscht Gelöscht guest GUEST Invité
`),
  'not provided',
  'Not provided',
  'Not Provided',
  'no name',
  'No Name',
  'Khách lẻ',
  'test user',
  'Test User',
  'John Doe',
  'Jane Doe',
  'First Last',
  'Test Test',
]);

/**
 * What devices and programs hand over instead of an identifier of their own: a UUID of zeros (phones that refuse
 * tracking), the MAC address of apps, an identifier that millions of phones share, and digests of the empty text.
 */
export const NO_DEVICE: readonly RegExp[] = [
  /^[{(]?(?:0{8}-?(?:0{4}-?){3}0{12}|f{8}-?(?:f{4}-?){3}f{12})[)}]?$/,
  /^(?:00([:-]?)(?:00\1){4}00|ff([:-]?)(?:ff\2){4}ff|02([:-]?)(?:00\3){4}00|9774d56d682e549c)$/,
  /^(?:d41d8cd98f00b204e9800998ecf8427e|da39a3ee5e6b4b0d3255bfef95601890afd80709)$/,
  /^(?:tobefilledbyo\.e\.m\.|defaultstring|(?:system|chassis)serialnumber|0?123456789abcdef|emulator-\d{4})$/,
  /^(?:03000200-0400-0500-0006-000700080009|12345678-(?:1234-){3}123456789012|i(?:phone|pad)\d{1,2},\d{1,2})$/,
  /^([\da-f])\1{7}-?\1{4}-?\1{4}-?\1{4}-?\1{12}$/,
  // Cards of documents for developers, and those of which only the end is left.
  /^(?:4242424242424242|4111111111111111|5555555555554444|378282246310005|(?:tok|pm_card)_visa)$/,
  /^[\d-]{0,9}x[x-]{3,}\d{2,6}$|^\p{L}{2,20}endingin\d{4}$/u,
  // Sample numbers of phones, and what thousands of people with one browser have.
  /^(?:0?12345678901234\d?|004999010640000)$|^(?:mozilla|dalvik|opera)\/\d/,
  /^e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855$/,
];

/** Rows of digits that people type to get past a form. */
export const DIGIT_ROWS: readonly string[] = (
  '1234 12345 123456 1234567 12345678 123456789 1234567890 12345678901 0123456789 0123456 012345678 01234567890 ' +
  '12345678910 2345678901 54321 654321 987654321 0987654321 9876543210 112233 11223344 1122334455 112233445566 ' +
  '111222333 1112223333 123454321 1234554321 102030 1020304050 147258369 1472583690 0147258369'
).split(' ');

/** Top-level names that are never in the public DNS: RFC 6761, 6762, 8375, ICANN, and those of common routers. */
export const NO_TOP_LEVEL: ReadonlySet<string> = /* @__PURE__ */ new Set(
  (
    'localhost local localdomain invalid test internal intranet lan home corp private workgroup arpa ' +
    'deleted removed erased disabled inactive anonymized anonymised old bak'
  ).split(' '),
);

/** Kinds of cards to pay with. Stores keep the last digits or the first: millions of cards have them. */
export const CARD_KIND = /^(?!.*(?:gift|loyal|member|sim)).*(?:card|kreditkart|tarjeta|last_?4)/i;

/** Kinds of numbers of tax and of accounts. */
export const TAX_KIND =
  /(?:^|[^a-z])(?:vat|ust|rfc|nif|cif|cpf|cnpj|cui[tl]|nit|ruc|rut|gst|iva|nip|sdi|tin|btw|dni|nie|uid|iban)|tax|steuer|fiscal/i;

/** Numbers of tax that law or habit gives to every buyer without one, as letters and digits, by country. */
export const EVERYBODYS_TAX: readonly RegExp[] = [
  // Mexico, Portugal, Colombia, Paraguay, Bolivia, India, Guatemala, Argentina.
  /^(?:x[ae]xx010101000|(?:pt)?999999990|2{12}7?|444444017|99001|urp|cf|2[03]0{9})$/,
  // Italy, Spain, Brazil; the sample of the United Kingdom; zeros.
  /^(?:x{7}|(?:es)?(?:00000000t|00000001r|12345678z|99999999r)|12345678909|gb999999973|[a-z]{0,4}0{7,}[a-z]?(?:b00)?)$/,
  // Samples of forms.
  /^[a-z]{1,3}0?(?:1234567890)*12345678(?:9(?:0(?:12?)?)?)?(?:b01)?$/,
];

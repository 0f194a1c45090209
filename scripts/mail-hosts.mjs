// Writes src/core/identifiers/mail-hosts.ts, the hosts of providers of mail:
//   npm pack email-providers@2.26.0 free-email-domains@1.12.6 freemail@1.7.0    (in a folder of its own)
//   for file in *.tgz; do mkdir "${file%-*}" && tar xzf "$file" -C "${file%-*}"; done
//   node scripts/mail-hosts.mjs THAT_FOLDER
// A host counts if all three packages have it, and none calls it a throw-away one: each list alone has misspelt hosts
// and those of companies. Of one provider's 1,300 hosts such as mail2abby.com, none counts: pages load the list. NOTICE
// has their licences. OWN and NOT are ours.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv, chdir } from 'node:process';
import { fileURLToPath } from 'node:url';

const folder = argv[2];
if (folder === undefined) throw new Error('expected the folder of the three unpacked packages');
const read = (name, file) => readFileSync(join(folder, name, 'package', file), 'utf8');
const toWords = (text) => text.split(/\s+/).filter((word) => word !== '');

/** Hosts of mail at access providers, national providers and relays that not all lists have. */
const OWN = toWords(`
  posteo.de posteo.net mailbox.org tutanota.com tutanota.de tuta.com tuta.io tutamail.com keemail.me pm.me
  protonmail.ch passmail.net passinbox.com simplelogin.com simplelogin.co slmail.me aleeas.com duck.com mozmail.com
  relay.firefox.com privaterelay.appleid.com anonaddy.com anonaddy.me addy.io fastmail.com fastmail.fm hey.com
  runbox.com mailfence.com startmail.com disroot.org riseup.net kolabnow.com migadu.com zohomail.com zohomail.eu
  zohomail.in skiff.com onmail.com gmx.fr gmx.es gmx.it gmx.eu gmx.li gmx.info gmx.org gmx.us email.de vodafonemail.de
  kabelmail.de unitybox.de unity-mail.de o2online.de o2mail.de ewe.net ewetel.net netcologne.de osnanet.de htp-tel.de
  versanet.de magenta.de t-mobile.de online.de onlinehome.de alice.de alice-dsl.de alice-dsl.net hansenet.de
  versatel.de mnet-mail.de mnet-online.de kabelbw.de tele2.de smart-mail.de
  a1.net aon.at chello.at liwest.at inode.at kabsi.at telering.at hispeed.ch sunrise.ch bluemail.ch swissonline.ch
  proximus.be skynet.be voo.be scarlet.be pandora.be belgacom.net brutele.be mobistar.be base.be
  xs4all.nl casema.nl upcmail.nl tele2.nl telfort.nl kpnplanet.nl online.nl caiway.nl caiway.net solcon.nl quicknet.nl
  zeelandnet.nl versatel.nl zonnet.nl wxs.nl freeler.nl hccnet.nl onsbrabantnet.nl delta.nl live.nl
  bbox.fr bouyguestelecom.fr numericable.fr numericable.com noos.fr club-internet.fr cegetel.net 9online.fr 9business.fr
  neuf.fr aliceadsl.fr libertysurf.fr nordnet.fr worldonline.fr mailo.com netcourrier.com
  fastwebnet.it tin.it alice.it email.it inwind.it iol.it blu.it teletu.it vodafone.it pec.it legalmail.it arubapec.it
  clix.pt netcabo.pt iol.pt mail.telepac.pt telepac.pt meo.pt nos.pt vodafone.pt kanguru.pt
  telefonica.net ono.com terra.es ya.com wanadoo.es orange.es movistar.es jazztel.es euskaltel.net mundo-r.com
  telia.com comhem.se bredband.net bredbandsbolaget.se tele2.se glocalnet.net passagen.se spray.se telenor.se bahnhof.se
  online.no broadpark.no c2i.net getmail.no lyse.net altibox.no start.no frisurf.no
  tdcadsl.dk mail.dk stofanet.dk post.tele.dk get2net.dk image.dk pc.dk jubii.dk youmail.dk fibermail.dk webspeed.dk
  elisanet.fi kolumbus.fi luukku.com saunalahti.fi suomi24.fi pp.inet.fi inet.fi dnainternet.net welho.com sci.fi
  internet.is simnet.is vortex.is
  otenet.gr hol.gr forthnet.gr freemail.gr in.gr cytanet.com.cy
  post.cz email.cz volny.cz atlas.cz quick.cz azet.sk zoznam.sk centrum.sk pobox.sk post.sk orangemail.sk
  t-online.hu citromail.hu vipmail.hu freemail.hu upcmail.hu digikabel.hu invitel.hu indamail.hu chello.hu
  interia.pl interia.eu op.pl poczta.fm poczta.onet.pl vp.pl tlen.pl gazeta.pl go2.pl neostrada.pl autograf.pl
  abv.bg mail.bg dir.bg gbg.bg home.ro clicknet.ro rdslink.ro siol.net volja.net t-2.net net.hr inet.hr optinet.hr
  t-com.hr vip.hr eunet.rs open.telekom.rs sbb.rs ptt.rs mts.rs one.lv inbox.lt mail.ee hot.ee neti.ee delfi.lt
  takas.lt tut.by mail.by open.by bigmir.net meta.ua i.ua email.ua online.ua 3g.ua internet.ru xmail.ru pochta.ru
  hotbox.ru lenta.ru narod.ru yandex.by yandex.kz yandex.ua yandex.com.tr yandex.com.am yandex.az yandex.uz vk.com
  mynet.com ttmail.com ttnet.net.tr superonline.com turk.net turkcell.com.tr
  walla.com walla.co.il 012.net.il 013.net 013net.net netvision.net.il bezeqint.net zahav.net.il barak.net.il
  emirates.net.ae eim.ae etisalat.ae batelco.com.bh qatar.net.qa stc.com.sa link.net tedata.net.eg maktoob.com
  mweb.co.za telkomsa.net vodamail.co.za iafrica.com absamail.co.za lantic.net webmail.co.za polka.co.za
  rediff.com rediffmail.com indiatimes.com sify.com vsnl.net vsnl.com bsnl.in sancharnet.in airtelmail.in dataone.in
  sltnet.lk cyber.net.pk wol.net.pk
  139.com 189.cn wo.cn 21cn.com yeah.net aliyun.com foxmail.com vip.163.com vip.126.com sohu.com tom.com 263.net
  sina.cn netvigator.com biznetvigator.com hinet.net seed.net.tw pchome.com.tw kimo.com ms1.hinet.net
  nifty.com nifty.ne.jp biglobe.ne.jp ocn.ne.jp plala.or.jp so-net.ne.jp dion.ne.jp au.com uqmobile.jp ymobile.ne.jp
  ymobile1.ne.jp i.softbank.jp softbank.ne.jp vodafone.ne.jp disney.ne.jp willcom.com asahi-net.or.jp eonet.ne.jp
  jcom.home.ne.jp zaq.ne.jp hi-ho.ne.jp tiki.ne.jp dti.ne.jp rakuten.jp rakumail.jp excite.co.jp infoseek.jp goo.jp
  nate.com korea.com paran.com dreamwiz.com hanmir.com chol.com lycos.co.kr empal.com kakao.com hanmail.com
  vnn.vn fpt.vn hcm.vnn.vn viettel.vn pldtdsl.net globe.com.ph telkom.net plasa.com cbn.net.id streamyx.com tm.net.my
  singnet.com.sg pacific.net.sg starhub.net.sg
  optusnet.com.au iinet.net.au tpg.com.au internode.on.net adam.com.au dodo.com.au westnet.com.au ozemail.com.au
  aapt.net.au bigpond.net.au exetel.com.au aussiebroadband.com.au xtra.co.nz slingshot.co.nz orcon.net.nz
  paradise.net.nz clear.net.nz inspire.net.nz snap.net.nz vodafone.co.nz ihug.co.nz
  terra.com.br ig.com.br globo.com globomail.com r7.com oi.com.br pop.com.br zipmail.com.br brturbo.com.br veloxmail.com.br
  prodigy.net.mx infinitum.com.mx telmex.com axtel.net arnet.com.ar fibertel.com.ar speedy.com.ar ciudad.com.ar
  telecentro.com.ar sinectis.com.ar une.net.co etb.net.co cantv.net adinet.com.uy vtr.net entelchile.net terra.cl
  mi.cl telefonica.net.pe speedy.com.pe
  telus.net sympatico.ca bell.net shaw.ca rogers.com videotron.ca cogeco.ca eastlink.ca sasktel.net mts.net mymts.net
  nl.rogers.com nf.sympatico.ca ns.sympatico.ca vianet.ca tbaytel.net teksavvy.com execulink.com
  charter.net spectrum.net roadrunner.com twc.com rr.com brighthouse.com optonline.net optimum.net suddenlink.net
  windstream.net frontier.com frontiernet.net centurylink.net centurytel.net embarqmail.com q.com qwest.net tds.net
  wowway.com mediacombb.net cableone.net rcn.com earthlink.net mindspring.com netzero.net netzero.com juno.com
  bellsouth.net pacbell.net ameritech.net swbell.net flash.net snet.net prodigy.net nvbell.net wans.net currently.com
  metrocast.net consolidated.net hughes.net wildblue.net exede.net gci.net hawaiiantel.net cincinnatibell.com fuse.net
  zoominternet.net atlanticbb.net midco.net sbcglobal.net tmomail.net vtext.com txt.att.net mms.att.net aim.com
  talktalk.net plusnet.com plus.net plus.com sky.com virginmedia.com virgin.net ntlworld.com blueyonder.co.uk
  btopenworld.com talk21.com bt.com orange.net tiscali.co.uk lineone.net zen.co.uk o2.co.uk madasafish.com onetel.com
  fsmail.net freeserve.co.uk supanet.com waitrose.com demon.co.uk ee.co.uk gmx.co.uk mail.co.uk
  eircom.net iol.ie indigo.ie vodafone.ie sky.ie
  mailinator.com guerrillamail.com yopmail.com 10minutemail.com temp-mail.org tempmail.com sharklasers.com
  trashmail.com maildrop.cc getnada.com dispostable.com throwawaymail.com mohmal.com emailondeck.com
  hotmail.cl hotmail.com.ar hotmail.com.hk hotmail.com.tr hotmail.com.tw hotmail.com.vn hotmail.co.id hotmail.co.in
  hotmail.co.za hotmail.cz hotmail.fi hotmail.hu hotmail.lt hotmail.lv hotmail.my hotmail.ph hotmail.rs hotmail.se
  hotmail.sk live.com.my live.com.ph live.com.pk live.com.co live.com.pe live.fi live.co.in outlook.com.ar outlook.cl
  outlook.ec outlook.mx outlook.ca outlook.se windowslive.com passport.com
  yahoo.com.pe yahoo.com.ve yahoo.com.uy yahoo.com.cl yahoo.cl yahoo.co.cr yahoo.com.ec myyahoo.com yahoomail.com
`);

/** Hosts that all lists have, but of no provider of mail: documentation, companies, misspelt ones. */
const NOT = new Set(
  toWords(`
  example.com example.net example.org test.com test.de yourdomain.com mydomain.com officedomain.com
  yoursubdomain.findhere.com yoursubdomain.zzn.com forecastertests.com username.e4ward.com www.com www.e4ward.com
  smileyface.comsmithemail.net mail2moldova.commail2molly.com raxtest.com zipsendtest.com mttestdriver.com
  gmial.com hotmai.com hotmial.com hitmail.com vahoo.com gmail.ru okbank.com beeebank.com space-bank.com spacebank.com
  apple.dnsabr.com yaho.com lvie.com.sg yahoo.com.is yahoo.com.ru yahoo.jp gmail.com.br check.com ato.check.com name.com oath.com
  medscape.com discovery.com ancestry.com techspot.com space.com alibaba.com geek.com
`),
);

const lists = [
  JSON.parse(read('email-providers', 'all.json')),
  JSON.parse(read('free-email-domains', 'domains.json')),
  toWords(read('freemail', 'data/free.txt')),
].map((list) => new Set(list));
const throwAway = new Set(toWords(read('freemail', 'data/disposable.txt')));

/** The hosts that pages know without this list. */
const words = readFileSync(new URL('../src/core/identifiers/words-for-no-value.ts', import.meta.url), 'utf8');
const most = new Set(toWords(/MAIL_PROVIDERS[^`]*`([^`]*)`/.exec(words)[1]));

const families = new RegExp(/MAIL_FAMILIES =\s*\/(.*)\/;/.exec(words)[1]);
const isKnown = (host) => most.has(host) || families.test(host);

const isHost = (text) => /^[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)*\.[a-z]{2,24}$/.test(text);
const shared = [...new Set(lists.flatMap((list) => [...list]))].filter(
  (host) => isHost(host) && !throwAway.has(host) && lists.every((list) => list.has(host)) && !host.startsWith('mail2'),
);
const hosts = [...new Set([...shared, ...OWN])].filter((host) => !NOT.has(host) && !isKnown(host)).sort();

/** By the last label, which then stands once. */
const groups = new Map();
for (const host of hosts) {
  const dot = host.lastIndexOf('.');
  const top = host.slice(dot + 1);
  groups.set(top, [...(groups.get(top) ?? []), host.slice(0, dot)]);
}
const lines = [...groups].sort().flatMap(([top, names]) => fill([`.${top}`, ...names]));

/** Breaks words into lines. */
function fill(parts) {
  const lines = [];
  for (const part of parts) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + part.length < 200) lines[lines.length - 1] = `${last} ${part}`;
    else lines.push(part);
  }
  return lines;
}

chdir(fileURLToPath(new URL('..', import.meta.url)));
writeFileSync(
  'src/core/identifiers/mail-hosts.ts',
  `/**
 * Hosts of providers of mail beyond the most used ones (words-for-no-value.ts), by their last label. Written by
 * scripts/mail-hosts.mjs from email-providers 2.26.0 (ISC), free-email-domains 1.12.6 (MIT) and freemail 1.7.0 (ISC):
 * NOTICE has the licences. Pages load this file only when somebody types a domain.
 */
export const MAIL_HOSTS = \`
${lines.join('\n')}
\`;
`,
);
console.log(`${hosts.length} hosts, ${lines.length} lines`);

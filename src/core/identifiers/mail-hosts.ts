/**
 * Hosts of providers of mail beyond the most used ones (words-for-no-value.ts), by their last label. Written by
 * scripts/mail-hosts.mjs from email-providers 2.26.0 (ISC), free-email-domains 1.12.6 (MIT) and freemail 1.7.0 (ISC):
 * NOTICE has the licences. Pages load this file only when somebody types a domain.
 */
export const MAIL_HOSTS = `
.ac uae
.ae eim emirates.net etisalat
.am 88 i yandex.com
.ar arnet.com ciudad.com fibertel.com infovia.com interlap.com keko.com netizen.com onenet.com serga.com sinectis.com speedy.com telecentro.com terra.com topmail.com uol.com web-mail.com
.as mailbox
.at aon chello forfree inode kabsi kitznet liwest net4you partynight telering tiscali
.au aapt.net adam.com artlover.com aussiebroadband.com bigblue.net bigpond.com bigpond.net chocaholic.com dodo.com exemail.com exetel.com fastmail.com freemail.com hello.net i-mail.com iinet.net
iprimus.com lionsfan.com live.com looksmart.com mbox.com medical.net netspace.net optusnet.com outlook.com ozbytes.net ozemail.com racingfan.com start.com tpg.com westnet.com winmail.com
.az box mail yandex
.be advalvas base brutele digibel freegates golfmail mail mobistar pandora proximus scarlet skynet tiscali voo
.bg abv arcotronics dir gbg lex mail orbitel
.bh batelco.com
.biz coid nabc reallyfast urgentmail veryfast
.br brazilmail.com brfree.com brturbo.com cool globalsite.com ig.com mailbr.com oi.com osite.com plusmail.com pop.com riopreto.com seguros.com terra.com ubbi.com veloxmail.com zipmail.com
.by mail open tut yandex
.ca cogeco coolgoose eastlink nf.sympatico ns.sympatico outlook shaw sympatico vianet videotron webcity
.cc alexandria contrasto.cu i6.cloudns maildrop moldova phus8kajuspa.cu shitaway.usa shockinmytown.cu wiz wovz.cu
.ch bluemail dplanet hispeed postino protonmail sunrise swissonline
.cl 123mail atina hotmail mi outlook terra yahoo yahoo.com
.cn 189 live sina wo wormseo yahoo yahoo.com
.co etb.net live.com mailchoose simplelogin une.net uol.com
.com 10minutemail 11mail 123 123india 139 150ml 15meg4free 188 1coolplace 1freeemail 1funplace 1internetdrive 1mum 1musicrow 1netdrive 1nsyncfan 1under 1webave 1webhighway 212 21cn 24horas 2d2i 2die4
2trom 321media 37 3ammagazine 3dmail 3email 4email 4mg 4newyork 4x4man 97rock aaamail.zzn abdulnour aberystwyth about academycougars accessgcc accountant acdcfan ace-of-base activist adexec adfarrow
aemail4u aeneasmail afreeinternet africamail agoodmail aichi aim aircraftmail airforceemail ajacied albawaba aleeas alex4all algeria aliyun allergist alloymail allracing allsaintsfan altavista
alternativagratis alumni alumnidirector amele amnetsal amuromail anfmail angelfire angelic animalhouse anjungcafe anonaddy anote another anotherwin95 anti-social antisocial antongijsen antwerpen
anymoment anytimenow apexmail apmail arabia archaeologist arcticmail argentina artlover as-if asean-mail asheville asia-links asia-mail asiafind asianavenue asiancityweb assala assamesemail
astroboymail astrolover astrosfan asurfer atheist atlaswebmail atozasia attymail au ausi austin.rr australiamail autoescuelanerja axoskate ayna azimiweb bachelorboy bachelorgal backpackers
backstreet-boys backstreetboysclub bagherpour bangkok bangkok2000 baptistmail baptized barcelona baseballmail basketballmail baudoinconsulting bboy.zzn bcvibes beenhad beer beethoven belice belizehome
berlin bharatmail bigassweb bigboab bigfoot bigger bigmailbox bigramp bikemechanics bikeracer bikerider billsfan birdlover bisons bitmail bizhosting biznetvigator blackburnmail blackplanet blader
blazemail bluebottle bluehyppo bluesfan blushmail boardermail boatracers bolando bollywoodz boltonfans bombdiggity boom bootmail bornnaked bostonoffice boxbg boxemail boxfrog boyzoneclub bradfordfans
brazilmail breathe brew-master brew-meister brighthouse britneyclub brittonsign bsdmail bt btopenworld buffymail bullsfan bullsgame buryfans business-man busta-rhymes buyersusa bvimailbox c4
cabacabana cairomail californiamail callnetuk camidge canada-11 canada canadianmail canoemail canwetalk caramail care2 careerbuildermail casablancaresort cash4u casino catcha catlover cd2 celineclub
celtic centralpets cfl.rr chaiyomail chance2mail charmedmail chattown chauhanweb check1check cheerful chek chemist chequemail cheyenneweb chez chickmail chinamail chirk chol churchusa cia-agent
cicciociccio cincinnatibell city-of-birmingham city-of-cambridge city-of-coventry city-of-edinburgh city-of-lichfield city-of-lincoln city-of-liverpool city-of-manchester city-of-nottingham
city-of-oxford city-of-swansea city-of-westminster claramail classicalfan clerk cliffhanger clubalfa clubducati cluemail cmpmail cnnsimail coldmail collectiblesuperstore collegeclub collegemail
colleges columbus.rr columbusrr columnist comic communityconnect comprendemail compuserve computer-freak computer4u conexcol conk connectbox consultant cookiemonster coolgoose coolkiwi coollist
coolmail coolsend cooooool copacabana cornells cornerpub corporatedirtbag cortinet counsellor countrylover crazedanddazed crazysexycool cristianemail critterpost croeso crosshairs crwmail
cry4helponline cs cuemail curio-city currently cute-girl cuteandcuddly cutey cyber-wizard cyber4all cyberbabies cybercafemaui cyberdude cybergal cybergrrl cyberinbox cyberleports cyberservices
cyberspace-asia cyclefanz cynetcity dadacasa daha dailypioneer dallasmail dangerous-minds dansegulvet data54 davegracey dawnsonmail dawsonmail dazedandconfused dbzmail deal-maker dearriba death-star
deliveryman depechemode deseretmail desertmail desilota deskpilot destin detik deutschland-net devotedcouples dfwatson di-ve diplomats dirtracer disciples discofan discoverymail disposable dispostable
dmailman dnsmadeeasy doctor dog doglover doityourself doneasy donjuan dontgotmail dontmesswithtexas doramail dostmail dr dreamwiz dropzone dubaimail dublin duck dunlopdriver dunloprider duno dutchmail
dygo dynamitemail e-mailanywhere e-tapaal earthalliance earthdome eastmail easypost ecardmail echina ecompare edmail ednatx edtnmail ehmail elsitio elvis elvisfan emailacc emailaccount emailchoice
emailem emailondeck emailpinoy emailplanet ematic embarqmail empal end-war engineer england englandmail epatra eqqu eresmas etoast etrademail eudoramail europe europemail euroseek excite execs
execulink expressasia extended eyou ezcybersearch ezmail.egine ezrs fan fansonlymail fantasticmail faroweb fastem fastemailer fastermail fastimap fastmail fastmessaging fastservice fbi-agent
federalcontractors felicitymail femenino feyenoorder ffanet fiberia filipinolinks financier findmail finebody fire-brigade flashmail flipcode fmailbox fmgirl fmguy fnmail folkfan foodmail footballmail
for-president forpresident fortuncity fortunecity foxmail free-org freeaccount freeandsingle freedom.usa freedomlover freeghana freeola freeuk freewebemail freeyellow fresnomail friends-cafe
friendsfan from-africa from-america from-argentina from-asia from-australia from-belgium from-brazil from-canada from-england from-europe from-holland from-israel from-korea from-mexico
from-outerspace from-russia fromalabama fromalaska fromarizona fromarkansas fromcalifornia fromcolorado fromconnecticut fromdelaware fromgeorgia fromidaho fromillinois fromindiana fromiowa fromjupiter
fromkansas fromkentucky fromlouisiana frommaryland frommassachusetts frommiami frommichigan fromminnesota frommississippi frommissouri frommontana fromnebraska fromnevada fromnewhampshire
fromnewjersey fromnewmexico fromnorthcarolina fromnorthdakota fromohio fromoklahoma frompennsylvania fromrhodeisland fromru fromsouthcarolina fromsouthdakota fromtennessee fromtexas fromthestates
fromutah fromvermont fromvirginia fromwashington fromwashingtondc fromwestvirginia fromwisconsin fromwyoming frontier fullmail funkfan fuorissimo furnitureprovider fwnb fxsmails galaxy5 galaxyhit
gamegeek gamespotmail garbage gardener gazibooks geecities geeklife general-hospital geocities geologist geopia germanymail getnada ghanamail ghostmail givepeaceachance globalpagan globo globomail go
go2net gocollege gocubs golfemail goodstick goplay gospelfan gothere.uk gotomy gotti.otherinbox graphic-designer grapplers gratisweb groupmail grungecafe guerrillamail guessmail guy guy2 guyanafriends
gyorsposta hackermail hamptonroads handbag handleit hang-ten hanmail hanmir happemail happycounsel happypuppy hardcorefreak hawaii.rr heartthrob heerschap hehe helter-skelter herediano herono1 hey
hhdevel highmilton highquality hilarious hiphopfan hispavista hkstarphoto hockeymail hollywoodkids home-email homelocator homemail homestead hongkong hoopsmail horrormail hot-shot hotbot hotbrev
hotletter hotpop3 hotvoice housemail hunsa hush hushmail hypernautica i-connect i-france i-p i12 iafrica iamawoman iamwaiting iamwasted iamyours icestorm icmsconsultants icq icqmail icrazy id-base
ididitmyway idirect ifoward ignmail ihateclowns ijustdontcare ilovechocolate ilovejesus imaginemail imailbox imneverwrong imstressed imtoosexy iname inbox incamail incredimail india indiatimes
indo-mail indocities indomail indyracers info66 infohq infospacemail innocent inorbit insight.rr instruction insurer interburp internet-police internetbiz internetdrive internetegypt iobox iowaemail
ip3 iqemail iraqmail ireland irelandmail isellcars isleuthmail isonfire israelmail italymail itloox itmom ivebeenframed ivillage iwan-fals iwmail iwon izadpanah jahoopa japan jaydemail jazzandjava
jazzfan jazzgame jerusalemmail job4u joinme jokes jordanmail journalist joymail jpopmail jump juniormail junkmail juno justicemail kaazoo kaixo kakao kalpoint kansascity kapoorweb karachian karachioye
karbasi katamail kbjrmail kcks keg-party kellychen keromail keyemail khosropour kickassmail killermail kimo kinki-kids kissfans kittymail kiwibox kiwitown kolabnow konx korea koreamail krongthip
krunis ksanmail ksee24mail kube93mail kukamail kumarweb kuwait-mail la lagerlouts lahoreoye lakmail lankamail latemodels latinmail law lawyer legalactions legislator levele lexis-nexis-mail liberomail
lick101 linkmaster linktrader linuxfreemail liontrucks littleblueroom liverpoolfans llandudno llangollen lobbyist localbar london looksmart lopezclub louiskoo loveable lovecat lovemail lover-boy
lovergirl lovingjesus lowandslow luukku lycos lycosmail m-a-i-l m-hmail mac macbox macfreak machinecandy macmail madasafish madcreations madonnafan madrid mahmoodweb mail-center mail-central mail-me
mail-page mail.austria mail.bulgaria mail.entrepeneurmag mail.freetown mail.hitthebeach mail.r-o-o-t mail.sisna mail.usa mail15 mail3000 mailandftp mailandnews mailas mailasia mailbolt mailboom
mailcan mailcc mailcity mailexcite mailfence mailftp mailhaven mailhood mailinator mailingweb mailisent mailite mailmight mailnew mailo mailops mailoye mailpanda mailpost.zzn mailpride mailpuppy
mailroom mailru mailshuttle mailstart mailstartplus mailsurf mailtag mailwire maktoob mantrafreenet mantramail mantraonline marchmail mariahc married-not marsattack martindalemail masrawy matmail
mauimail mauritius maxleft meetingmall megago megapoint mehrani mehtaweb mekhong melodymail meloo metacrawler metalfan mexicomail migadu miho-nakayama mikrotamanet millionaireintraining milmail
mindless mindspring minister mittalweb mixmail mjfrogmail mobilbatam mochamail mohammed mohmal moldova moldovacc moonman moose-mail mortaza mosaicfx moscowmail most-wanted mostlysunny motormania
movemail movieluver mozmail mr-potatohead mscold msgbox mundo-r munich music muslim mycabin mycity mycool mydotcomaddress myfamily mygo myiris mynamedot mynet mynetaddress myownemail myownfriends
mypad mypersonalemail myplace myrealbox myremarq myself mystupidjob mythirdage myway myworldmail myyahoo n2 n2business n2mail n2software nafe nakedgreens nameplanet nandomail naseej nate naz
nchoicemail nemra1 nenter neo.rr net-shopping netbounce netbroadcaster netcourrier netexecutive netexpressway netgenie netian netlane netlimit netmongol netpiper netralink netspeedway netsquare
netster nettaxi netvigator netzero newmail newyork nexxmail nfmail nicebush nicegal nicolastse nifty nightmail nikopage nimail ninfan nirvanafan nl.rogers noavar nonpartisan norika-fujiwara norikomail
ntlworld ntscan numericable ny nyc nycmail nzoomail o-tay oaklandas-fan oddpost odmail office-email offroadwarrior oicexchange okhuman okmad okmagic okuk oldies104mail ole olemail omaninfo onebox
onetel onlinewiz onmail onmilwaukee ono onobox operafan operamail optician oso otakumail our-computer our-office ourbrisbane outgun over-the-rainbow pacific-ocean pacific-re pacificwest packersfan
pakistanoye palestinemail paran parkjiyoon parsmail partlycloudy parvazi passinbox passport passwordmail pathfindermail pcpostal pcsrock pcusers.otherinbox pediatrician penpen peoplepc peopleweb
perfectmail personales petlover petml pettypool pezeshkpour phayze pickupman picusnet pinoymail planetaccess planetmail planetout plasa playersodds playful plus plusnet poetic polandmail polbox
policeoffice politician pool-sharks poond popaccount popmail popsmail popstar portugalmail portugalnet positive-thinking post postaccesslite postafree postaweb postinbox pousa powerfan praize
premiumservice presidency priest primposta privaterelay.appleid probemail proinbox project2k promessage prontomail protestant psv-supporter public.usa publicist pulp-fiction q qatarmail qprfans qrio
quackquack quakemail qualityservice qudsmail quepasa quickwebmail quiklinks quikmail r-o-o-t r7 raakim racedriver racefanz racingmail radicalz ragingbull ranmamail ratt-n-roll rattle-snake ravearena
ravemail razormail rcn realradiomail realtyagent reborn recycler rediff rediffmail rediffmailpro rednecks redsfans reggaefan registerednurses reincarnate relay.firefox religious repairman
representative rescueteam resumemail rezai richmondhill rickymail rn roadrunner roanokemail rock rocketmail rocketship rockfan rodrun rogers rome roosh roughnet rr rrohio rsub rubyridge runbox
rushpost ruttolibero rvshop s-mail sabreshockey sacbeemail safrica sailormoon saintly sale-sale-sale samerica sammimail sanfranmail sanook saudia scandalmail schizo schoolemail schoolmail schoolsucks
scientist scifianime scotlandmail scubadiving seanet searchwales sebil secret-police seductive seekstoyboy sent sentrismail servemymail sesmail sexmagnet shaniastuff sharklasers sharmaweb she
shootmail shuf sialkotcity sialkotian sialkotoye sify simplelogin sinamail singapore singmail skafan skiff skim sky slamdunkfan slingshot slotter smoothmail snakebite snoopymail snowboarding socamail
soccermail soccermomz sociologist sohu solution4u soon soulfoodcookbook space-man space-ship space-travel spacemart spacetowns spacewar spainmail spartapiet spazmail speedrules speedrulz spils
spinfinder sportemail sportsmail sporttruckdriver spymac stalag13 stargateradio starmail starmedia starplace starspath startmail stones stopdropandroll storksite streamyx stribmail strompost strongguy
subram suhabi sunrise-sunset sunsgame supanet superdada superonline surat surfree surimail survivormail swedenmail swiftdesk swingeasyhithard swingfan swipermail.zzn swirve swissmail switchboardmail
sx172 syom syriamail t2mail takuyakimura talk21 talkcity tamil tampabay.rr tatanova tbwt teamdiscovery tech-center techemail techie technologist techscout teenagedirtbag teksavvy telebot telerymd
telia telmex telstra tempmail tenchiclub tenderkiss tennismail terra thai thaimail the-african the-airforce the-aliens the-american the-animal the-army the-astronaut the-beauty the-big-apple the-biker
the-boss the-brazilian the-canadian the-canuck the-captain the-chinese the-country the-cowboy the-davis-home the-dutchman the-eagles the-englishman the-fool the-frenchman the-genius the-gentleman
the-german the-gremlin the-hooligan the-italian the-japanese the-lair the-madman the-mailinglist the-marine the-master the-mexican the-ministry the-monkey the-pentagon the-police the-prayer
the-professional the-quickest the-russian the-snake the-spaceman the-stock-market the-wild-west the18th thecoolguy thecriminals thedoghousemail thedorm theglobe thegolfcourse thegooner theheadoffice
thelanddownunder theplate thepokerface theraces theracetrack thestreetfighter theteebox thewatercooler thewizzard thewizzkid thirdage thisgirl throwawaymail thundermail tidni tkcity toke tom
toolsource toothfairy topchat topletter topsurf torchmail torontomail trashmail trialbytrivia trmailbox tropicalstorm truckerz truckracer trust-me ttmail tunisiamail turkey tuta tutamail tutanota
tvstar twc twinstarsmail tycoonmail typemail u2club uaemail ubbi uboot uk2k uk2net ukbuilder ukcool ukdreamcast ukmax ultapulta ultrapostman umpire unbounded unforgettable unihome uole uolmail uomail
ureach usa usanetmail usermail uymail uyuyuy v-sexi varbizmail vcmail velocall verizonmail vip.126 vip.163 vip.qq vip.sina virginmedia virtualmail visitmail visitweb visto visualcities vivavelocity
vjtimail vk volcanomail vote-democrats vote-hillary vote-republicans votenet vr9 vsnl vtext wahoye waitrose walla warmmail waumail wbdet web-police webave webcammail webdream webindia123 webjump
webmails webname webprogramming webstation webtopmail weedmail weekmail weekonline wehshee welho welsh-lady whale-mail whartontx wheelweb whipmail whoever whoopymail whtjddn.33mail wideopenwest
wildmail willcom windowslive wingnutz winning witty wkbwmail woh.rr wolf-web wombles wongfaye worker workmail worldemail wosaddict wouldilie wowgirl wowmail wowway wptamail writeme writemeback
wrongmail wtvhmail wwdg x5g xmastime xmsg xoom xpressmail.zzn xsmail xuno xzapmail y7mail ya yada-yada yahoofs yahoomail yalla yalook yam yapost yawmail yebox yehey yemenmail yogotemail yopmail
yopolis youareadork youmailr your-house yourinbox yourname.freeservers yournightmare yours yourssincerely yourwap yyhmail zahadum zipido ziplip zipmail zipmax zoho zohomail zubee zuzzurello zwallet
zybermail zydecofan zzn
.cr acceso.or yahoo.co
.cy cytanet.com
.cz alive atlas email hotmail ladymail love mail-box outlook post quick sendme sweb volny
.de alice-dsl alice arcor berlin berlinexpo bigfoot cww eintagsmail email epost freemail giga4u hansenet htp-tel info-media kabelbw kabelmail magenta mail-awu mailto manager mnet-mail mnet-online
netcologne o2mail o2online online onlinehome osnanet pagina posteo redseven smart-mail sofortmail t-mobile tele2 tutanota uni unity-mail unitybox versanet versatel vodafonemail
.dk ahaa alskens bluemail e-mail fibermail forum get2net image jubii jubiimail mail mailme netby pc post.tele sol stofanet tdcadsl webspeed youmail
.ec outlook yahoo.com
.edu australia england
.ee email hot mail neti uno
.eg tedata.net
.er tfanus.com
.es cgac fut gmx iespana infomail inicia jazztel lycos movistar orange teleline terra unican wanadoo
.et freemail
.eu gmx interia zohomail
.fi elisanet inet iobox jippii kolumbus pp.inet saunalahti sci suomi24
.fm fastmail poczta
.fr 9business 9online ados aliceadsl bbox bouyguestelecom club-internet dotcom freesurf gmx indexa libertysurf mailclub neuf noos nordnet numericable stade worldonline
.gl mor19.uu phpbb.uu xing886.uu
.gr forthnet freemail hol in mail mailbox otenet outlook.com vip
.gt correo.terra.com
.hk hotmail.com
.hm america
.hr inet net optinet t-com vip
.hu ak47 alvilag avh c2 c3 chello cia citromail coder cracker csinibaba digikabel drotposta eposta fbi freemail.c3 freestart geek gportal gyorsposta hello hotmail indamail invitel irj jakuza kgb lamer
levele maffia mail.vasarhely mailbox me-mail message outlook pobox primposta pro programozo reply send shotgun skizo sniper soldier t-online theend upcmail vipmail warrior webmail
.id cbn.net hotmail.co outlook.co
.ie dublin indigo iol online sky vodafone
.il 012.net barak.net hotmail.co intermail.co netvision.net outlook.co walla.co zahav.net
.in airtelmail bsnl dataone hotmail.co live.co sancharnet ttml.co zohomail
.info bio-muesli gmx golfilla nullbox
.io addy tuta
.is internet simnet vortex
.it 3000 alice arubapec blu caere caltanet centoper ciaoweb cybernet dott email estranet excite fastwebnet freemail globalfree gmx ignazio interfree inwind iol jumpy legalmail lycos mail.byte mp4
mybox pec progetplus supereva teletu tin tiscali uno unofree vodafone wooow
.jp asahi-net.or biglobe.ne dion.ne disney.ne dti.ne eonet.ne excite.co goo hi-ho.ne i.softbank infomart.or infoseek jcom.home.ne lycos.ne nifty.ne ocn.ne plala.or press.co rakumail rakuten so-net.ne
softbank.ne tiki.ne uqmobile vodafone.ne ymobile.ne ymobile1.ne zaq.ne
.kg aknet freenet hotmail
.kh everyday.com
.kr lycos.co outlook yahoo.co
.kz hotmail yandex
.lb yalla.com
.li gmx travel
.lk metta sltnet
.lt delfi freemail hotmail inbox takas
.lu sagra tiscali
.lv apollo atl e-apollo eriga hotmail inbox navigator one outlook
.md mail ournet
.me anonaddy keemail pm slmail
.mk freemail.org
.mx infinitum.com outlook prodigy.net uol.com
.my hotmail live.com outlook tm.net yahoo.com
.net 013 013net 123box 1mail 1me 263 2911 3xl 444 4email 8848 a1 aamail aaronkwok abcflash access4less acmemail acninc adelphia adios airforce airpost alhilal alice-dsl allmail altavista ameritech
amrer amuro andylau animalwoman appraiser approvers arabtop army asiansonly asianwired asiapoint astrosfan athenachu atlanticbb attglobal auctioneer austrosearch awsom axtel bannertown bartender
batuta belgacom bell bellsouth bettergolf bezeqint bigmir bikeracers billsfan bimla birdowner bitpage bmlsports bonbon bounce brasilia bredband bresnan bright broadcast businessman c2i cableone caiway
callsign cantv carioca cegetel centurylink centurytel chandrasekar charter chef cincinow citlink city-of-westminster city-of-york cityofcardiff close2you club4x4 clubbers clubhonda clubvdo
computermail connect4free consolidated contractor coolmail coolsite cooperation cooperationtogo cotas coxinet crosswinds cyber-africa cyberforeplay cybermail dabsol deneg disinfo dnainternet dogsnob
dragoncon dwp earthcam earthling earthlink earthonline ecbsolutions eircom email2me emailcorner emailengine emailforyou emailgroups emailuser emailx enel entelchile epix euskaltel every1 everyone ewe
ewetel examnotes exede extenda f1fans farang fastmailbox fatcock financemail fireman flash flashmail freeola freeuk from-china from-france from-germany from-italy from-japan from-spain fromflorida
fromhawaii frommaine fromnewyork fromoregon frontiernet frostbyte.uk fsmail ftml fuse gamebox gaza gci glendale glocalnet gonavy gorontalo graffiti gramszu greenmail gtmc gua guju hackermail hailmail
hairdresser hawaiiantel heesun hinet hitthe hkg home.no hookup hotfire hsuchi hughes humanoid ilovetocollect in-box inbox insidebaltimore internetemails internetmailing internode.on irangate
islamonline ismart isp9 jetemail justemail lantic leehom leonlai letsgomets lineone link lovelygirl lyse mailbomb mailc mailclub mailforce mailgenie mailsent mailup malayalamtelevision mediacombb
metrocast midco misery ml1 mms.att money ms1.hinet mts mundomail mymts nagpal naplesnews nativestar nativeweb naui neeva net-pager netcenter-vn netposta netscape netzero newmail nicholastse northgates
null nvbell oceanfree okname olympist optimum optonline orange orgmail orthodontist ownmail pacbell passmail pconnections photographer phreaker physicist pigpig piracha pisem planetarymotion
planetearthinter planetmail pldtdsl plus pmail posteo postmark postpro prodigy programmer ptd qwest qwestoffice radiologist rastogi realemail riseup saintmail salehi salesperson samilan sasktel sayhi
secretary secretservices shahweb silkroad siol slo smapxsmap snail-mail sndt snet snowdonia socceramerica socialworker softhome songwriter spectrum speedemail speedpost srilankan st-davids sudanmail
suddenlink sukhumvit sunpoint surf3 surfy surgical swbell swissmail t-2 talktalk tbaytel tds teamtulsa telefonica telinco telkom telkomsa telpage telus temtulsa tfz thaimail the-fastest the-galaxy
the-newsletter the-student the-whitehouse themillionare theoffice thepostmaster therapist thezhangs timein tmomail totalmusic tritium turk txt.att uk7 uk8 usa usaaccess usma usmc uswestmail veryspeedy
virgin vivianhsu volja vsnl vtr wales2000 wans warpmail wearab wildblue windrivers windstream worldnet.att wrexham www2000 wx88 wxs x-mail x-networks yeah yepmail yifan yourlover yourteacher yuuhuu
zhaowei zip zoominternet
.nl caiway casema chello delta freeaccess freeler freemail freesurf hccnet hetnet home ilse kpnmail kpnplanet mailmij marijuana online onsbrabantnet planet quicknet solcon sp tele2 telfort upcmail
versatel wxs xs4all zeelandnet zeepost zonnet
.no altibox broadpark frisurf getmail online spray start
.nu email mail
.nz clear.net hotmail.co ihug.co inspire.net orcon.net outlook.co paradise.net slingshot.co snap.net vodafone.co xtra.co yahoo.co
.org aristotle catholic city-of-bath city-of-brighton cityoflondon clubmember collector cybertrains deadlymob disroot fathersrightsne fishburne freeweb gigileung glay gmx graduate imel linuxmail m4
mailbox musician musicscene navy nervhq pagons rccgmail schweiz starmail studentcenter suisse swissinfo switzerland teachers tech4peace temp-mail ukmail ummah upf vote4gop zionweb
.pe free.com live.com outlook.com speedy.com telefonica.net yahoo.com
.pf mail
.ph globe.com hotmail live.com outlook
.pk cyber.net freemail.com live.com wol.net
.pl autograf gazeta go2 interia neostrada op poczta.onet tlen vp
.pt aeiou clix educacao.te iol jovem.te kanguru luso mail mail.telepac megamail meo net4b netcabo nos oninet outlook portugalmail sapo telepac universal vodafone
.qa qatar.net
.ro bumerang cartestraina clicknet codec email go home personal posta rdslink
.rs eunet hotmail mts open.telekom ptt sbb
.ru au beep chat e-mail e-mails email emails ezmail front go goldenmail goldmail hotbox hotmail imail internet land lenta narod newmail pochta rambler rin supermail vipmail wegas xmail yahoo zmail
.sa outlook stc.com
.se altavista bahnhof bredbandsbolaget comhem home passagen spray tele2 telenor tiscali
.sg live.com netnet.com nus.edu outlook pacific.net singnet.com starhub.net
.si email
.sk azet centrum hotmail inmail lmxmail miesto orangemail outlook pobox post zoznam
.sn sunumail
.st ethos our
.th hotmail.co outlook.co
.to easy hello hey messages w3
.tr outlook.com ttnet.net turkcell.com yandex.com
.tw hotmail.com pchome.com seed.net
.ua 3g email i meta online stop-my-spam.pp yandex
.uk 123qwe.co 2bmail.co abbeyroadlondon.co aol.co blueyonder.co btopenworld.co demon.co dogmail.co ee.co email-london.co fetchmail.co fmail.co freeserve.co freeukisp.co freezone.co gaybrighton.co
gmx.co gofree.co imposter.co looksmart.co lycos.co mail.co mail.org maxmail.co netscapeonline.co o2.co postmaster.co scottishmail.co thewebpros.co tiscali.co topgamers.co uku.co velnet.co
violinmakers.co zen.co zzom.co
.us bestmail fastemail gmx
.uy adinet.com montevideo.com yahoo.com
.uz yandex
.ve uol.com uole.com yahoo.com
.vg china.net
.vn fpt hcm.vnn hotmail.com outlook.com viettel vnn
.yu webmail.co
.za absamail.co ananzi.co classicmail.co eastcoast.co eramail.co fnbmail.co highveldmail.co hotmail.co jmail.co kayafmmail.co magicmail.co mail.co mailbox.co mighty.co mweb.co polka.co technisamail.co
tsamail.co vodamail.co wam.co webmail.co websurfer.co
`;

/**
 * Hosts of providers of mail beyond the most used ones (words-for-no-value.ts), by their last label. Written by
 * scripts/mail-hosts.mjs from email-providers 2.26.0 (ISC), free-email-domains 1.12.6 (MIT) and freemail 1.7.0 (ISC):
 * NOTICE has the licences. Pages load this file only when somebody types a domain.
 */
const HOSTS = `
.ac uae
.ae eim emirates.net etisalat yahoo
.af is us
.ai hush
.am 88 i yandex.com
.ar arnet.com ciudad.com fibertel.com infovia.com interlap.com keko.com netizen.com onenet.com serga.com sinectis.com speedy.com telecentro.com terra.com topmail.com uol.com web-mail.com
.as mailbox sent
.at aon centermail chello forfree inode kabsi kitznet liwest mail.htl22 net4you partynight pii qibl sent sms spl telering tiscali wegwerf-email
.au aapt.net adam.com artlover.com aussiebroadband.com aussiemail.com bigblue.net bigpond.com bigpond.net chocaholic.com dodo.com exemail.com exetel.com fastmail.com freemail.com hello.net hotmail.com
i-mail.com iinet.net iprimus.com kmail.com lionsfan.com live.com looksmart.com mbox.com medical.net netspace.net optusnet.com outlook.com ozbytes.net ozemail.com racingfan.com science.com start.com
telstra.com tpg.com virginbroadband.com westnet.com winmail.com
.az box mail yandex
.be advalvas bartdevos base brutele calidifontain digibel freegates golfmail mail mobistar net-c pandora perso proximus scarlet skynet tiscali voo
.bg abv arcotronics dir gbg lex mail orbitel topteam
.bh batelco.com
.biz coid email fasternet film-blog geschent gothere lolmail mailbiz merda.igg nabc ontyne reallyfast urgentmail veryfast watchever yhg
.br brazilmail.com brfree.com brturbo.com cool globalsite.com ig.com mailbr.com oi.com osite.com plusmail.com pop.com riopreto.com seguros.com terra.com ubbi.com veloxmail.com wins.com zipmail.com
.by mail open tut yandex
.bz ibnuh
.ca cogeco coolgoose eastlink efxs fastmail ftpinc gardenscape net-c nf.sympatico ns.sympatico outlook rabin realtyalerts runi shaw sympatico vianet videotron webcity
.cat net-c
.cc airmail alexandria cam4you cdpa co contrasto.cu eml fastest grn i6.cloudns imap m21 mail21 maildrop merda.flu merda.nut merda.usa moldova nm7 orgmbx phus8kajuspa.cu postfach shitaway.cu
shitaway.usa shockinmytown.cu tiv wiz wovz.cu yourlifesucks.cu
.ch bluemail ctos dplanet hispeed hotmail lain postino protonmail sunrise swissonline yahoo
.cl 123mail 147 atina hotmail live mi outlook sin sinfiltro terra yahoo yahoo.com
.club bestoption25
.cn 189 cntv fastmail live msn sina trimix wo wo.com wormseo yahoo yahoo.com
.co betr etb.net live.com mailchoose mr24 simplelogin tokem une.net uol.com xagloo yahoo yahoo.com
.com 100likers 1033edge 10mail 10minutemail 10minutesmail 10x9 11mail 123 123india 12houremail 139 140unichars 150mail 150ml 15meg4free 15qm 16mail 188 1coolplace 1freeemail 1funplace 1internetdrive
1mum 1musicrow 1netdrive 1nsyncfan 1st-forms 1under 1webave 1webhighway 2-mail 212 21cn 24horas 2980 2d2i 2die4 2trom 30minutesmail 3126 321media 36ru 37 3ammagazine 3dmail 3email 4email 4mg 4newyork
4x4man 50mail 5iron 5star 5ymail 8127ep 97rock 99 aaamail.zzn abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijk abdulnour aberystwyth abolition-now about academiccommunity academycougars
accessgcc accountant acdcfan ace-of-base acmecity activist address adexec adfarrow adobeccepdm adoption adrenalinefreak aemail4u aeneasmail aeonpsi afreeinternet africamail agoodmail aichi aim
aircraftmail airforceemail ajacied akapost akerd albawaba aleeas alex4all algeria aliyun alldirectbuy allergist alloymail allracing allsaintsfan altavista alternativagratis alumni alumnidirector
amelabs amele amnetsal amuromail anappfor anfmail angelfan angelfire angelic animalhouse anjungcafe annsmail anonaddy anonymousness anote another anotherwin95 ansibleemail anti-social antireg
antisocial antongijsen antwerpen anymoment anytimenow apexmail aphlog apmail arabia arcademaster archaeologist arcticmail argentina arroisijewellery artlover artman-conception as-if asean-mail
asheville asia-links asia-mail asia asiafind asianavenue asiancityweb assala assamesemail astroboymail astrolover astrosfan asurfer atheist atlaswebmail atlink atozasia attymail au ausi austin.rr
australiamail autoescuelanerja automotiveauthority aver axoskate ayna azimiweb bachelorboy bachelorgal backpackers backstreet-boys backstreetboysclub badoop bagherpour ballyfinance bangkok bangkok2000
baptistmail baptized barcelona baseballmail basketballmail baudoinconsulting bazaaboom bboy.zzn bcvibes bearsarefuzzy beenhad beer beethoven belice belizehome belljonestax berkscounty berlin
bestchoiceusedcar bharatmail bidourlnks bigassweb bigboab bigfoot bigger biggerbadder bigmailbox bigramp bikemechanics bikeracer bikerider billsfan bimamail birdlover bisons bitmail bizhosting
biznetvigator bla-bla blackburnmail blackplanet blader blazemail blockfilter bluebottle bluehyppo bluesfan blushmail boardermail boatracers bobmurchison bolando bollywoodz bolt boltonfans bombdiggity
bookthemmore boom bootmail borged bornnaked bossofthemoss bostonoffice boxbg boxemail boxfrog boyzoneclub bradfordfans bratwurst.dnsabr brazilmail breakthru breathe brew-master brew-meister briefemail
briggsmarcus brighthouse britneyclub brittonsign brokenvalve brusseler bsdmail bspooky bt btb-notes btconnect btopenworld buffymail bugmenever bullsfan bullsgame bunko buryfans business-man
businessbackend businessweekmail busta-rhymes busymail buyersusa buymoreplays bvimailbox byespm byteme c4 cabacabana cairomail californiafitnessdeals californiamail callnetuk camidge canada-11 canada
canadianmail canoemail canwetalk caramail care2 careerbuildermail casablancaresort cash4u cashette casino catcha catchamail catlover catsrule.garfield ccnmail cd2 celineclub celtic centralpets
certifiedmail cfl.rr chaiyomail chance2mail charmedmail chattown chauhanweb check1check cheerful chek chemist chequemail cheyenneweb chez chickmail china chinalook chinamail chirk chithinh chol
churchusa cia-agent cicciociccio cinci.rr cincinnatibell city-of-birmingham city-of-cambridge city-of-coventry city-of-edinburgh city-of-lichfield city-of-lincoln city-of-liverpool city-of-manchester
city-of-nottingham city-of-oxford city-of-swansea city-of-westminster city2city ckiso claramail classicalfan clerk cliffhanger clubalfa clubducati clubnetnoir cluemail cmpmail cnnsimail codeandscotch
codivide coieo coldmail collectiblesuperstore collegebeat collegeclub collegemail colleges columbus.rr columbusrr columnist comic communityconnect completegolfswing comprendemail compuserve
computer-freak computer4u conexcol conk connectbox conok consultant cookiemonster coolgoose coolkiwi coollist coolmail coolsend cooooool copacabana cornells cornerpub corporatedirtbag cortinet
counsellor countrylover cox crankhole crazedanddazed crazysexycool cristianemail critterpost croeso crosshairs crwmail cry4helponline cs cszbl cuemail curio-city currently cute-girl cuteandcuddly
cutey cyber-matrix cyber-wizard cyber4all cyberbabies cybercafemaui cyberdude cybergal cybergrrl cyberinbox cyberleports cyberservices cyberspace-asia cyclefanz cynetcity dadacasa daemsteam daha
dailypioneer dallas.theboys dallasmail dangerous-minds dansegulvet darkharvestfilms dash-pads data54 davegracey davidlcreative dawnsonmail dawsonmail dazedandconfused dbzmail ddcrew deal-maker dealrek
dearriba death-star defomail dejanews delayload deliveryman depechemode deseretmail desertmail desilota deskmail deskpilot destin detik deutschland-net devotedcouples dfwatson di-ve dialogus diplomats
directbox dirtracer disciples discofan discoverymail disposable dispostable dmailman dnsmadeeasy doctor dog dogit doglover doityourself doneasy donjuan dontgotmail dontmesswithtexas doramail dostmail
dotslashrage douchelounge dp76 dr dragracer dreamwiz dropzone dsiay dubaimail dublin duck duk33 dukedish dumpmail dunlopdriver dunloprider duno dutchmail dvx.dnsabr dyceroprojects dygo dynamitemail
e-mailanywhere e-tapaal earthalliance earthdome eastmail easypost eatmydirt ecallheandi ecardmail echina ecompare edinburgh-airporthotels edmail ednatx edtnmail educastmail ehmail
elitevipatlantamodels elsitio elvis elvisfan email.women emailacc emailaccount emailchoice emailem emailit emailondeck emailpinoy emailplanet emailresort emailtemporanea ematic embarqmail
emeraldwebmail empal emumail end-war engineer england englandmail epatra eqqu eresmas escapehatchapp esemay esgeneri esprity etoast etrademail eudoramail europe europemail euroseek eurosport excite
execs execulink expressasia extended eyou ezcybersearch ezfill ezmail.egine ezrs failbone faithkills fakedemail falseaddress fan fan.theboys fansonlymail fantasticmail farifluset.mailexpire faroweb
fast-email fastem fastemailer fastermail fastimap fastmail fastmessaging fastservice fbi-agent federalcontractors felicity felicitymail femenino fetchmail feyenoorder ffanet fiberia fictionsite figjs
filbert4u filberts4u filipinolinks financier findmail finebody finfin fire-brigade fishfuse flashemail flashmail flipcode fmailbox fmgirl fmguy fnmail folkfan foodmail football.theboys footballmail
for-president forpresident fortuncity fortunecity foxja foxmail free-org freeaccount freeandsingle freebabysittercam freeblackbootytube freedom.usa freedomlover freefattymovies freeghana freeola
freeplumpervideos freeschoolgirlvids freesistercam freestamp freeteenbums freeuk freewebemail freeyellow fresnomail friends-cafe friendsfan from-africa from-america from-argentina from-asia
from-australia from-belgium from-brazil from-canada from-england from-europe from-holland from-israel from-korea from-mexico from-outerspace from-russia fromalabama fromalaska fromarizona fromarkansas
fromcalifornia fromcolorado fromconnecticut fromdelaware fromgeorgia fromidaho fromillinois fromindiana fromiowa fromjupiter fromkansas fromkentucky fromlouisiana frommaryland frommassachusetts
frommiami frommichigan fromminnesota frommississippi frommissouri frommontana fromnebraska fromnevada fromnewhampshire fromnewjersey fromnewmexico fromnorthcarolina fromnorthdakota fromohio
fromoklahoma frompennsylvania fromrhodeisland fromru fromsouthcarolina fromsouthdakota fromtennessee fromtexas fromthestates fromutah fromvermont fromvirginia fromwashington fromwashingtondc
fromwestvirginia fromwisconsin fromwyoming frontier fuirio fullmail funkfan funnycodesnippets fuorissimo furnitureprovider fwnb fxnxs fxsmails galaxy5 galaxyhit gamegeek gamegregious gamespotmail
garbage gardener garizo gazibooks gee-wiz geecities geeklife gencmail general-hospital geocities geologist geopia germanymail geteit getnada gh2000 ghanamail ghostmail giaiphapmuasam giantsfan
girl4god girlsindetention givepeaceachance globalpagan globaltouron globo globomail gnctr-calgary gnwmail go go2net gocollege gocubs goldtoolbox golfemail goodnewsmail goodstick goplay gospelfan
gothere.uk gotomy gotti.otherinbox govolsfan grabmail graphic-designer grapplers gratisweb greggamel groupmail grungecafe gudanglowongan guerillamailblock guerrillamail guessmail gurlmail guy guy2
guyanafriends gyorsposta hackermail hahawrong hamptonroads handbag handleit hang-ten hanmail hanmir happemail happycounsel happypuppy hardcorefreak haribu hawaii.rr hawrong hazelnut4u hazelnuts4u
headbone heartthrob heathenhammer heathenhero heerschap hehe helloricky helter-skelter hempseed herediano heremail herono1 hey hhdevel hiddentragedy highmilton highquality hilarious hiphopfan
hispavista hkstarphoto hockeymail hollywoodkids home-email homeart homelocator homemail homestead homeworkcentral honduras hongkong hoopsmail horrormail hot-shot hotbot hotbrev hotepmail hotletter
hotpop3 hotvoice housefan housemail html.tou humaility hungpackage hunsa hurting hush hushmail hypernautica i-connect i-france i-p i12 iafrica iamawoman iamwaiting iamwasted iamyours iaoss
icantbelieveineedtoexplainthisshit icestorm icmsconsultants icq icqmail icrazy id-base ididitmyway idigjesus idirect ifoward ignmail ihateclowns ijustdontcare ilkposta ilovechocolate ilovejesus
ilovethemovies imaginemail imailbox imap-mail imneverwrong imstressed imtoosexy in2jesus iname inbox incamail incq incredimail india indiatimes indieclad indo-mail indocities indomail indyracers
inerted info66 infohq infospacemail inmail24 inmano innocent inorbit inoutbox insight.rr instruction insurer interburp internet-club internet-e-mail internet-police internetbiz internetdrive
internetegypt internetoftags investormail iobox iowaemail iozak ip3 iqemail iraqmail ireland irelandmail irishspringrealty isellcars iservejesus isleuthmail isonfire israelmail isukrainestillacountry
italymail itloox itmom itunesgiftcodegenerator ivebeenframed ivillage iwan-fals iwmail iwon izadpanah jahoopa japan jaydemail jazzandjava jazzfan jazzgame jerusalemmail jewishmail job4u joinme jokes
jopho jordanmail journalist joymail jpopmail jump juniormail junkmail juno justicemail kaazoo kaffeeschluerfer kaixo kakao kalpoint kamsg kansascity kaovo kapoorweb karachian karachioye karbasi
kariplan kartvelo katamail kbjrmail kcks keg-party kellychen kemptvillebaseball keromail keyemail khosropour kiani kickassmail killermail kimo kinki-kids kiois kissfans kisstwink kitnastar kittymail
kiwibox kiwitown kloap kludgemush kmhow kolabnow kon42 konx kopagas korea koreamail kozmail krongthip krunis ksanmail ksee24mail kube93mail kuhrap kukamail kumarweb kuwait-mail la lagerlouts lahoreoye
lakelivingstonrealestate lakmail lankamail latemodels latinmail latino lavache law lawlita lawyer ldop ldtp legalactions legislator letterbox levele lexis-nexis-mail liamcyrus liberomail lick101
lifetotech ligsb lindenbaumjapan linkmaster linktrader linuxfreemail liontrucks listomail littleapple littleblueroom liverpoolfans llandudno llangollen lobbyist localbar locos logular london loobie
looksmart lopezclub losemymail louiskoo loveable lovecat lovefootball lovemail lover-boy lovergirl lovethebroncos lovethecowboys lovingjesus lowandslow lpfmgmtltd lukecarriere luukku lycos lycosemail
lycosmail lyfestylecreditsolutions m-a-i-l m-hmail mac macbox macfreak machinecandy macmail macromaid madasafish madcreations madonnafan madrid maennerversteherin magamail mahmoodweb mail-center
mail-central mail-me mail-owl mail-page mail.austria mail.bulgaria mail.entrepeneurmag mail.freetown mail.hitthebeach mail.kmsp mail.pharmacy mail.r-o-o-t mail.sisna mail.spaceports mail.theboys
mail.usa mail15 mail1st mail2007 mail2aaron mail2abby mail2abc mail2actor mail2admiral mail2adorable mail2adoration mail2adore mail2adventure mail2aeolus mail2aether mail2affection mail2afghanistan
mail2africa mail2agent mail2aha mail2ahoy mail2aim mail2air mail2airbag mail2airforce mail2airport mail2alabama mail2alan mail2alaska mail2albania mail2alcoholic mail2alec mail2alexa mail2algeria
mail2alicia mail2alien mail2allan mail2allen mail2allison mail2alpha mail2alyssa mail2amanda mail2amazing mail2amber mail2america mail2american mail2andorra mail2andrea mail2andy mail2anesthesiologist
mail2angela mail2angola mail2ann mail2anna mail2anne mail2anthony mail2anything mail2aphrodite mail2apollo mail2april mail2aquarius mail2arabia mail2arabic mail2architect mail2ares mail2argentina
mail2aries mail2arizona mail2arkansas mail2armenia mail2army mail2arnold mail2art mail2artemus mail2arthur mail2artist mail2ashley mail2ask mail2astronomer mail2athena mail2athlete mail2atlas
mail2atom mail2attitude mail2auction mail2aunt mail2australia mail2austria mail2azerbaijan mail2baby mail2bahamas mail2bahrain mail2ballerina mail2ballplayer mail2band mail2bangladesh mail2bank
mail2banker mail2bankrupt mail2baptist mail2bar mail2barbados mail2barbara mail2barter mail2basketball mail2batter mail2beach mail2beast mail2beatles mail2beauty mail2becky mail2beijing mail2belgium
mail2belize mail2ben mail2bernard mail2beth mail2betty mail2beverly mail2beyond mail2biker mail2bill mail2billionaire mail2billy mail2bio mail2biologist mail2black mail2blackbelt mail2blake mail2blind
mail2blonde mail2blues mail2bob mail2bobby mail2bolivia mail2bombay mail2bonn mail2bookmark mail2boreas mail2bosnia mail2boston mail2botswana mail2bradley mail2brazil mail2breakfast mail2brian
mail2bride mail2brittany mail2broker mail2brook mail2bruce mail2brunei mail2brunette mail2brussels mail2bryan mail2bug mail2bulgaria mail2business mail2buy mail2ca mail2california mail2calvin
mail2cambodia mail2cameroon mail2canada mail2cancer mail2capeverde mail2capricorn mail2cardinal mail2cardiologist mail2care mail2caroline mail2carolyn mail2casey mail2cat mail2caterer mail2cathy
mail2catlover mail2catwalk mail2cell mail2chad mail2champaign mail2charles mail2chef mail2chemist mail2cherry mail2chicago mail2chile mail2china mail2chinese mail2chocolate mail2christian
mail2christie mail2christmas mail2christy mail2chuck mail2cindy mail2clark mail2classifieds mail2claude mail2cliff mail2clinic mail2clint mail2close mail2club mail2coach mail2coastguard mail2colin
mail2college mail2colombia mail2color mail2colorado mail2columbia mail2comedian mail2composer mail2computer mail2computers mail2concert mail2congo mail2connect mail2connecticut mail2consultant
mail2convict mail2cook mail2cool mail2cory mail2costarica mail2country mail2courtney mail2cowboy mail2cowgirl mail2craig mail2crave mail2crazy mail2create mail2croatia mail2cry mail2crystal mail2cuba
mail2culture mail2curt mail2customs mail2cute mail2cutey mail2cynthia mail2cyprus mail2czechrepublic mail2dad mail2dale mail2dallas mail2dan mail2dana mail2dance mail2dancer mail2danielle mail2danny
mail2darlene mail2darling mail2darren mail2daughter mail2dave mail2dawn mail2dc mail2dealer mail2deanna mail2dearest mail2debbie mail2debby mail2deer mail2delaware mail2delicious mail2demeter
mail2democrat mail2denise mail2denmark mail2dennis mail2dentist mail2derek mail2desert mail2devoted mail2devotion mail2diamond mail2diana mail2diane mail2diehard mail2dilemma mail2dillon mail2dinner
mail2dinosaur mail2dionysos mail2diplomat mail2director mail2dirk mail2disco mail2dive mail2diver mail2divorced mail2djibouti mail2doctor mail2doglover mail2dominic mail2dominica
mail2dominicanrepublic mail2don mail2donald mail2donna mail2doris mail2dorothy mail2doug mail2dough mail2douglas mail2dow mail2downtown mail2dream mail2dreamer mail2dude mail2dustin mail2dyke
mail2dylan mail2earl mail2earth mail2eastend mail2eat mail2economist mail2ecuador mail2eddie mail2edgar mail2edwin mail2egypt mail2electron mail2eli mail2elizabeth mail2ellen mail2elliot
mail2elsalvador mail2elvis mail2emergency mail2emily mail2engineer mail2english mail2environmentalist mail2eos mail2eric mail2erica mail2erin mail2erinyes mail2eris mail2eritrea mail2ernie mail2eros
mail2estonia mail2ethan mail2ethiopia mail2eu mail2europe mail2eurus mail2eva mail2evan mail2evelyn mail2everything mail2exciting mail2expert mail2fairy mail2faith mail2fanatic mail2fancy mail2fantasy
mail2farm mail2farmer mail2fashion mail2fat mail2feeling mail2female mail2fever mail2fighter mail2fiji mail2filmfestival mail2films mail2finance mail2finland mail2fireman mail2firm mail2fisherman
mail2flexible mail2florence mail2florida mail2floyd mail2fly mail2fond mail2fondness mail2football mail2footballfan mail2found mail2france mail2frank mail2frankfurt mail2franklin mail2fred
mail2freddie mail2free mail2freedom mail2french mail2freudian mail2friendship mail2from mail2fun mail2gabon mail2gabriel mail2gail mail2galaxy mail2gambia mail2games mail2gary mail2gavin mail2gemini
mail2gene mail2genes mail2geneva mail2george mail2georgia mail2gerald mail2german mail2germany mail2ghana mail2gilbert mail2gina mail2girl mail2glen mail2gloria mail2goddess mail2gold mail2golfclub
mail2golfer mail2gordon mail2government mail2grab mail2grace mail2graham mail2grandma mail2grandpa mail2grant mail2greece mail2green mail2greg mail2grenada mail2gsm mail2guard mail2guatemala mail2guy
mail2hades mail2haiti mail2hal mail2handhelds mail2hank mail2hannah mail2harold mail2harry mail2hawaii mail2headhunter mail2heal mail2heather mail2heaven mail2hebe mail2hecate mail2heidi mail2helen
mail2hell mail2help mail2helpdesk mail2henry mail2hephaestus mail2hera mail2hercules mail2herman mail2hermes mail2hespera mail2hestia mail2highschool mail2hindu mail2hip mail2hiphop mail2holland
mail2holly mail2hollywood mail2homer mail2honduras mail2honey mail2hongkong mail2hope mail2horse mail2hot mail2hotel mail2houston mail2howard mail2hugh mail2human mail2hungary mail2hungry mail2hygeia
mail2hyperspace mail2hypnos mail2ian mail2ice-cream mail2iceland mail2idaho mail2idontknow mail2illinois mail2imam mail2in mail2india mail2indian mail2indiana mail2indonesia mail2infinity mail2intense
mail2iowa mail2iran mail2iraq mail2ireland mail2irene mail2iris mail2irresistible mail2irving mail2irwin mail2isaac mail2israel mail2italian mail2italy mail2jackie mail2jacob mail2jail mail2jaime
mail2jake mail2jamaica mail2james mail2jamie mail2jan mail2jane mail2janet mail2janice mail2japan mail2japanese mail2jasmine mail2jason mail2java mail2jay mail2jazz mail2jed mail2jeffrey mail2jennifer
mail2jenny mail2jeremy mail2jerry mail2jessica mail2jessie mail2jesus mail2jew mail2jeweler mail2jim mail2jimmy mail2joan mail2joann mail2joanna mail2jody mail2joe mail2joel mail2joey mail2john
mail2join mail2jon mail2jonathan mail2jones mail2jordan mail2joseph mail2josh mail2joy mail2juan mail2judge mail2judy mail2juggler mail2julian mail2julie mail2jumbo mail2junk mail2justin mail2justme
mail2kansas mail2karate mail2karen mail2karl mail2karma mail2kathleen mail2kathy mail2katie mail2kay mail2kazakhstan mail2keen mail2keith mail2kelly mail2kelsey mail2ken mail2kendall mail2kennedy
mail2kenneth mail2kenny mail2kentucky mail2kenya mail2kerry mail2kevin mail2kim mail2kimberly mail2king mail2kirk mail2kiss mail2kosher mail2kristin mail2kurt mail2kuwait mail2kyle mail2kyrgyzstan
mail2la mail2lacrosse mail2lance mail2lao mail2larry mail2latvia mail2laugh mail2laura mail2lauren mail2laurie mail2lawrence mail2lawyer mail2lebanon mail2lee mail2leo mail2leon mail2leonard
mail2leone mail2leslie mail2letter mail2liberia mail2libertarian mail2libra mail2libya mail2liechtenstein mail2life mail2linda mail2linux mail2lionel mail2lipstick mail2liquid mail2lisa mail2lithuania
mail2litigator mail2liz mail2lloyd mail2lois mail2lola mail2london mail2looking mail2lori mail2lost mail2lou mail2louis mail2louisiana mail2lovable mail2love mail2lucky mail2lucy mail2lunch mail2lust
mail2luxembourg mail2luxury mail2lyle mail2lynn mail2madagascar mail2madison mail2madrid mail2maggie mail2mail4 mail2maine mail2malawi mail2malaysia mail2maldives mail2mali mail2malta mail2mambo
mail2man mail2mandy mail2manhunter mail2mankind mail2many mail2marc mail2marcia mail2margaret mail2margie mail2marhaba mail2maria mail2marilyn mail2marines mail2mark mail2marriage mail2married
mail2marries mail2mars mail2marsha mail2marshallislands mail2martha mail2martin mail2marty mail2marvin mail2mary mail2maryland mail2mason mail2massachusetts mail2matt mail2matthew mail2maurice
mail2mauritania mail2mauritius mail2max mail2maxwell mail2maybe mail2mba mail2me4u mail2mechanic mail2medieval mail2megan mail2mel mail2melanie mail2melissa mail2melody mail2member mail2memphis
mail2methodist mail2mexican mail2mexico mail2mgz mail2miami mail2michael mail2michelle mail2michigan mail2mike mail2milan mail2milano mail2mildred mail2milkyway mail2millennium mail2millionaire
mail2milton mail2mime mail2mindreader mail2mini mail2minister mail2minneapolis mail2minnesota mail2miracle mail2missionary mail2mississippi mail2missouri mail2mitch mail2model mail2mom mail2monaco
mail2money mail2mongolia mail2monica mail2montana mail2monty mail2moon mail2morocco mail2morpheus mail2mors mail2moscow mail2moslem mail2mouseketeer mail2movies mail2mozambique mail2mp3 mail2mrright
mail2msright mail2museum mail2music mail2musician mail2muslim mail2my mail2myboat mail2mycar mail2mycell mail2mygsm mail2mylaptop mail2mymac mail2mypager mail2mypalm mail2mypc mail2myphone
mail2myplane mail2namibia mail2nancy mail2nasdaq mail2nathan mail2nauru mail2navy mail2neal mail2nebraska mail2ned mail2neil mail2nelson mail2nemesis mail2nepal mail2netherlands mail2network
mail2nevada mail2newhampshire mail2newjersey mail2newmexico mail2newyork mail2newzealand mail2nicaragua mail2nick mail2nicole mail2niger mail2nigeria mail2nike mail2no mail2noah mail2noel mail2noelle
mail2normal mail2norman mail2northamerica mail2northcarolina mail2northdakota mail2northpole mail2norway mail2notus mail2noway mail2nowhere mail2nuclear mail2nun mail2ny mail2oasis mail2oceanographer
mail2ohio mail2ok mail2oklahoma mail2oliver mail2oman mail2one mail2onfire mail2online mail2oops mail2open mail2ophthalmologist mail2optometrist mail2oregon mail2oscars mail2oslo mail2painter
mail2pakistan mail2palau mail2pan mail2panama mail2paraguay mail2paralegal mail2paris mail2park mail2parker mail2party mail2passion mail2pat mail2patricia mail2patrick mail2patty mail2paul mail2paula
mail2pay mail2peace mail2pediatrician mail2peggy mail2pennsylvania mail2perry mail2persephone mail2persian mail2peru mail2pete mail2peter mail2pharmacist mail2phil mail2philippines mail2phoenix
mail2phonecall mail2phyllis mail2pickup mail2pilot mail2pisces mail2planet mail2platinum mail2plato mail2pluto mail2pm mail2podiatrist mail2poet mail2poland mail2policeman mail2policewoman
mail2politician mail2pop mail2pope mail2popular mail2portugal mail2poseidon mail2potatohead mail2power mail2presbyterian mail2president mail2priest mail2prince mail2princess mail2producer
mail2professor mail2protect mail2psychiatrist mail2psycho mail2psychologist mail2qatar mail2queen mail2rabbi mail2race mail2racer mail2rachel mail2rage mail2rainmaker mail2ralph mail2randy mail2rap
mail2rare mail2rave mail2ray mail2raymond mail2realtor mail2rebecca mail2recruiter mail2recycle mail2redhead mail2reed mail2reggie mail2register mail2rent mail2republican mail2resort mail2rex
mail2rhodeisland mail2rich mail2richard mail2ricky mail2ride mail2riley mail2rita mail2rob mail2robert mail2roberta mail2robin mail2rock mail2rocker mail2rod mail2rodney mail2romania mail2rome
mail2ron mail2ronald mail2ronnie mail2rose mail2rosie mail2roy mail2rudy mail2rugby mail2runner mail2russell mail2russia mail2russian mail2rusty mail2ruth mail2rwanda mail2ryan mail2sa mail2sabrina
mail2safe mail2sagittarius mail2sail mail2sailor mail2sal mail2salaam mail2sam mail2samantha mail2samoa mail2samurai mail2sandra mail2sandy mail2sanfrancisco mail2sanmarino mail2santa mail2sara
mail2sarah mail2sat mail2saturn mail2saudi mail2saudiarabia mail2save mail2savings mail2school mail2scientist mail2scorpio mail2scott mail2sean mail2search mail2seattle mail2secretagent mail2senate
mail2senegal mail2sensual mail2seth mail2sevenseas mail2sexy mail2seychelles mail2shane mail2sharon mail2shawn mail2ship mail2shirley mail2shoot mail2shuttle mail2sierraleone mail2simon mail2singapore
mail2single mail2site mail2skater mail2skier mail2sky mail2sleek mail2slim mail2slovakia mail2slovenia mail2smile mail2smith mail2smooth mail2soccer mail2soccerfan mail2socialist mail2soldier
mail2somalia mail2son mail2song mail2sos mail2sound mail2southafrica mail2southamerica mail2southcarolina mail2southdakota mail2southkorea mail2southpole mail2spain mail2spanish mail2spare
mail2spectrum mail2splash mail2sponsor mail2sports mail2srilanka mail2stacy mail2stan mail2stanley mail2star mail2state mail2stephanie mail2steve mail2steven mail2stewart mail2stlouis mail2stock
mail2stockholm mail2stockmarket mail2storage mail2store mail2strong mail2student mail2studio mail2studio54 mail2stuntman mail2subscribe mail2sudan mail2superstar mail2surfer mail2suriname mail2susan
mail2suzie mail2swaziland mail2sweden mail2sweetheart mail2swim mail2swimmer mail2swiss mail2switzerland mail2sydney mail2sylvia mail2syria mail2taboo mail2taiwan mail2tajikistan mail2tammy mail2tango
mail2tanya mail2tanzania mail2tara mail2taurus mail2taxi mail2taxidermist mail2taylor mail2taz mail2teacher mail2technician mail2ted mail2telephone mail2teletubbie mail2tenderness mail2tennessee
mail2tennis mail2tennisfan mail2terri mail2terry mail2test mail2texas mail2thailand mail2therapy mail2think mail2tickets mail2tiffany mail2tim mail2time mail2timothy mail2tina mail2titanic mail2toby
mail2todd mail2togo mail2tom mail2tommy mail2tonga mail2tony mail2touch mail2tourist mail2tracey mail2tracy mail2tramp mail2travel mail2traveler mail2travis mail2trekkie mail2trex mail2triallawyer
mail2trick mail2trillionaire mail2troy mail2truck mail2trump mail2try mail2tunisia mail2turbo mail2turkey mail2turkmenistan mail2tv mail2tycoon mail2tyler mail2u4me mail2uae mail2uganda mail2uk
mail2ukraine mail2uncle mail2unsubscribe mail2uptown mail2uruguay mail2usa mail2utah mail2uzbekistan mail2v mail2vacation mail2valentines mail2valerie mail2valley mail2vamoose mail2vanessa
mail2vanuatu mail2venezuela mail2venous mail2venus mail2vermont mail2vickie mail2victor mail2victoria mail2vienna mail2vietnam mail2vince mail2virginia mail2virgo mail2visionary mail2vodka
mail2volleyball mail2waiter mail2wallstreet mail2wally mail2walter mail2warren mail2washington mail2wave mail2way mail2waycool mail2wayne mail2webmaster mail2webtop mail2webtv mail2weird mail2wendell
mail2wendy mail2westend mail2westvirginia mail2whether mail2whip mail2white mail2whitehouse mail2whitney mail2why mail2wilbur mail2wild mail2willard mail2willie mail2wine mail2winner mail2wired
mail2wisconsin mail2woman mail2wonder mail2world mail2worship mail2wow mail2www mail2wyoming mail2xfiles mail2xox mail2yachtclub mail2yahalla mail2yemen mail2yes mail2yugoslavia mail2zack mail2zambia
mail2zenith mail2zephir mail2zeus mail2zipper mail2zoo mail2zoologist mail2zurich mail3000 mail72 mailandftp mailandnews mailas mailasia mailbolt mailboom mailcan mailcc mailchop mailcity mailcker
mailexcite mailfence mailftp mailhaven mailhood mailinator mailinblack mailingweb mailisent mailite mailmight mailms mailnew mailo mailonaut mailops mailoye mailpanda mailpokemon mailpost.zzn
mailpride mailpuppy mailroom mailru mailshiv mailshuttle mailstart mailstartplus mailsurf mailtag mailwire maktoob maltesemail mantrafreenet mantramail mantraonline marchmail mariahc marijuana
markmurfin married-not marsattack martindalemail mash4077 masrawy matmail mauimail mauritius maxleft mchsi medmail meetingmall megago megapoint mehrani mehtaweb mekhong melodymail meloo
members.student metacrawler metalfan metaping mexicomail miaferrari miatadriver migadu miho-nakayama mikrotamanet millionaireintraining millionairemail milmail mindless mindspring mini-mail minister
minsmail mittalweb mixmail mjfrogmail mkpfilm mobilbatam mochamail mohammed mohmal moldova moldovacc momslife monemail moonman moonwake moose-mail moreawesomethanyou mortaza mosaicfx moscowmail
most-wanted mostlysunny motormania movemail movieluver mozmail mr-potatohead mrpost mscold msgbox msgos muathegame muchomail mucincanon mundo-r munich music muslim muslimsonline mutantweb mxfuel
mxp.dnsabr my mycabin mycampus mycity mycool mydotcomaddress myfamily myfastmail mygo myiris mykickassideas mymacmail mynamedot mynet mynetaddress myopang myownemail myownfriends mypad mypersonalemail
myplace myrealbox myremarq myself mystupidjob mytempmail mythirdage myway myworldmail myyahoo n2 n2baseball n2business n2mail n2soccer n2software nafe nakedgreens nameplanet nandomail naseej nate
nationalgardeningclub naz nc.rr nchoicemail nemra1 nenter neo.rr net-c net-shopping netbounce netbroadcaster netcmail netcourrier netexecutive netexpressway netgenie netian netlane netlimit netmanor
netmongol netpiper netradiomail netralink netspeedway netsquare netster nettaxi nettemail netviewer-france netvigator netzero newmail newsboysmail newyork nexxmail nfmail nhmail nicebush nicegal
nicknassar nicolastse nifty nightmail nikopage nimail ninfan nirvanafan nl.rogers nnh no-ux noavar noblepioneer nobugmail nobuma nodezine noicd nokiamail nonpartisan norika-fujiwara norikomail
notrnailinator ntlworld ntscan numericable nuts2trade ny nybella nyc nycmail nzoomail o-tay oaklandas-fan obfusko oddpost odmail office-email offroadwarrior oicexchange oikrach okclprojects okhuman
okmad okmagic okuk okzk oldies1041 oldies104mail ole olemail omaninfo onebox onetel onlinewiz onmail onmilwaukee ono onobox onqin onvillage operafan operamail opp24 optician oso otakumail our-computer
our-office ourbrisbane outel outgun over-the-rainbow oxopoha pa9e pacific-ocean pacific-re pacificwest packersfan pakistanmail pakistanoye palestinemail paran parkjiyoon parrot parsmail partlycloudy
parvazi passinbox passport passwordmail pathfindermail pcpostal pcsrock pcusers.otherinbox peachworld pediatrician penpen peoplepc peopleweb perfectmail personales peterdethier petlover petml
pettypool pezeshkpour phayze pianomail pickupman picusnet pinoymail pisls planet-mail planetaccess planetall planetdirect planetmail planetout plasa playersodds playful plus plusnet poetic pokemonpost
pokepost pokiemobile polandmail polbox policeoffice politician pooae pool-sharks poond popaccount popgx popmail popsmail popstar portableoffice portugalmail portugalnet positive-thinking post
postaccesslite postafree postaweb postinbox pousa poutineyourface powerfan powlearn praize premiumservice presidency priest primposta privaterelay.appleid probemail proinbox project2k prolaunch
promessage prontomail protestant proxyparking psv-supporter public.usa publicist pulp-fiction purpleturtle q qatarmail qmail qoika qprfans qrio quackquack quadrafit quakemail qualityservice qudsmail
quepasa quickhosts quickwebmail quiklinks quikmail qwickmail r-o-o-t r7 raakim racedriver racefanz racingmail radicalz ragingbull ralib ranmamail raqid ratt-n-roll rattle-snake ravearena ravemail
razormail rcn realradiomail realtyagent reborn recipeforfailure recycler recyclermail rediff rediffmail rediffmailpro rednecks redsfans reggaefan reggafan registerednurses reincarnate relay.firefox
reliable-mail religious renren repairman representative rescueteam resumemail rezai richmondhill rickymail rn rnailinator roadrunner roanokemail robertspcrepair rock rocketmail rocketship rockfan
rodrun rogers rome roosh rotfl roughnet rr rrohio rsub rubyridge rumgel runbox rushpost ruttolibero rvshop s-mail s33db0x sabreshockey sabrestlouis sacbeemail sackboii safarimail safrica
saharanightstempe sailormoon saintly sale-sale-sale samerica sammimail sandwhichvideo sanfranmail sanook satukosong saudia scandalmail schizo schoolemail schoolmail schoolsucks scientist scifianime
scotland scotlandmail scubadiving seanet searchwales sebil seckinmail secret-police seductive seekstoyboy sendingspecialflyers sent sentrismail servemymail services391 sesmail sexforswingers sexical
sexmagnet shaniastuff sharewaredevelopers sharklasers sharmaweb she shhmail shieldemail shinedyoureyes shipfromto shipping-regulations shmeriously shootmail shortmail shrib shuf sialkotcity sialkotian
sialkotoye sify simplelogin sinamail singapore singles4jesus singlespride singmail singpost sizzlemctwizzle skafan skiff skim sky-inbox sky slamdunkfan slapsfromlastnight slingshot slotter smapfree24
smoothmail smtp99 snakebite snoopymail snowboarding socamail soccermail soccermomz sociologist sogou sohu solution4u soodmail soon soulfoodcookbook space-man space-ship space-travel spaceart spacemart
spacetowns spacewar spainmail spamarrest spameater spartapiet spazmail speedrules speedrulz spils spinfinder sportemail sportsmail sporttruckdriver spymac ssl-mail stalag13 stanfordujjain
stargateradio starmail starmedia starplace starspath startfu starting-point startmail startrekmail statiix stealthmail stockracer stoned stones stopdropandroll storksite streamyx stribmail strompost
strongguy stuckmail stumpfwerk subnetwork subram suhabi suioe sunrise-sunset sunsgame supanet superdada superonline superplatyna surat surfree surimail survivormail swedenmail swift-mail swiftdesk
swingeasyhithard swingfan swipermail.zzn swirve swissmail switchboardmail sx172 sylvannet syom syriamail t2mail takuyakimura talk21 talkcity tamil tampabay.rr tankpolice tatanova tbwt teamdiscovery
tech-center techemail techie technologist techpointer techscout techseek teenagedirtbag teksavvy telebot telerymd teleserve.dynip telia telmex telstra tempmail tenchiclub tenderkiss tennismail terra
testudine thai thaimail the-african the-airforce the-aliens the-american the-animal the-army the-astronaut the-beauty the-big-apple the-biker the-boss the-brazilian the-canadian the-canuck the-captain
the-chinese the-country the-cowboy the-davis-home the-dutchman the-eagles the-englishman the-fool the-frenchman the-genius the-gentleman the-german the-gremlin the-hooligan the-italian the-japanese
the-lair the-madman the-mailinglist the-marine the-master the-mexican the-ministry the-monkey the-pentagon the-police the-prayer the-professional the-quickest the-russian the-snake the-spaceman
the-stock-market the-wild-west the18th thecoolguy thecriminals thedoghousemail thedorm theglobe thegolfcourse thegooner theheadoffice theinternetemail thelanddownunder thelimestones themail
themostemail theplate thepokerface theraces theracetrack thescrappermovie thestreetfighter theteebox thewatercooler thewizzard thewizzkid thirdage thisgirl thnikka thoic throwawaymail thundermail
tidni timkassouf tinyurl24 tizi tkcity tmail toast toke tom toolsource toothfairy topchat topletter topofertasdehoy topsurf torchmail torontomail tosunkaya trashinbox trashmail trasz trialbytrivia
trmailbox trollproject tropicalstorm truckers truckerz truckracer truckracers trust-me truthmail ttmail tualias tunisiamail turkey tuta tutamail tutanota tvstar twc twinstarsmail tx.rr tycoonmail
typemail u2club uaemail ubbi uboot uguuchantele uk2k uk2net ukbuilder ukcool ukdreamcast ukmax ultapulta ultrapostman umpire unbounded unforgettable unids unihome unit7lahaina unomail uole uolmail
uomail uploadnolimit ureach usa usanetmail usermail uyhip uymail uyuyuy v-sexi vampirehunter varbizmail vcmail vctel vdig velocall verdejo verizonmail victoriantwins vinbazar vip.126 vip.163 vip.21cn
vip.qq vip.sina viralplays virginmedia virtualactive virtualmail visitmail visitweb visto visualcities vivavelocity vjmail vjtimail vk vlmail voidbay volcanomail vote-democrats vote-hillary
vote-republicans votenet voxelcore vr9 vrmtr vsnl vtext vztc wahoye waitrose walla wallm warmmail watch-harry-potter watchironman3onlinefreefullmovie waumail wbdet web-police webave webcammail
webdream webinbox webindia123 webjump webmails webname webprogramming webstation webtopmail weedmail weekmail weekonline wegwerfemailadresse wehshee welho welikecookies welsh-lady whale-mail whartontx
wheelweb whipmail whoever whoopymail whtjddn.33mail wi.rr wickedmail wideopenwest wildmail willcom windowslive wingnutz winning witty wkbwmail woh.rr wolf-web wombles wonder-net wongfaye worker
workmail worldemail worldmailer wosaddict wouldilie wowgirl wowmail wowway wptamail wralawfirm wrestlingpages writeme writemeback wrongmail wtvhmail wupics wwdg wyrm.supernews x5g xcompress xcpy xmail
xmastime xmsg xoom xoommail xpressmail.zzn xsmail xuno xzapmail y7mail ya yada-yada yahoofs yahoomail yalla yalook yam yapost yaqp yawmail yclub yebox yehaa yehey yemenmail ynmrealty ynnmail
yogotemail yopmail yopolis yopweb youareadork yougotgoated youmailr youpy your-house your-mail yourinbox yourname.freeservers yournightmare yours yourssincerely yourwap yspend yugasandrika yyhmail
zahadum zcities zdnetmail zeeks zfymail zipido ziplip zipmail zipmax zoho zohomail zombie-hive zubee zumpul zuzzurello zwallet zybermail zydecofan zzn
.cr acceso.or yahoo.co
.cx ht i6.cloudns xl
.cy cytanet.com
.cz alive atlas email hotmail ladymail love mail-box outlook post quick sendme sweb volny yahoo
.de abwesend addcom alice-dsl alice alpenjodel alphafrau ama-trade ama-trans anon-mail antispammail apfelkorps arcor awatum b2cmail baldmama baldpapa berlin berlinexpo betriebsdirektor bigfoot
bin-wieder-da bleib-bei-mir buerotiger center-mail centermail cghost.s-a-d cnsds comwest coole-files cww delikkt der-kombi derkombi derluxuswagen die-besten-bilder die-genossen die-optimisten
diemailbox digital-filestore dodgemail dotman download-privat droolingfanboy dropcake e-postkasten e3z einmalmail eintagsmail email epost feinripptraeger fettabernett fivemail fly-ts freemail
freudenkinder gehensiemirnichtaufdensack gentlemansclub giantmail giga4u grish guerillamail hab-verschlafen habmalnefrage hansenet hat-geld headstrong herr-der-mails home htp-tel
ich-bin-verrueckt-nach-dir ich-will-net info-media inoutmail ist-einmalig ist-ganz-allein ist-willig jetable kabelbw kabelmail kaffeeschluerfer keinhirn keipino kommespaeter kostenlosemailadresse
lass-es-geschehen loveyouforever lycos maennerversteherin magenta mail-awu mail.misterpinball mailde maileimer mailto mailueberfall malahov manager meine-diashow meine-urlaubsfotos
ministry-of-silly-walks misterpinball mnet-mail mnet-online motique muskelshirt mybitti mysamp netcologne netterchef neue-dateien nevermail nur-fuer-spam o2mail o2online office-dateien ohaaa online
onlinehome oroki osnanet ownsyou ozyl pagina partybombe partyheld polizisten-duzer posteo privy-mail public-files quantentunnel r4nd0m raubtierbaendiger redseven saeuferleber sags-per-mail schmusemail
schreib-doch-mal-wieder schrott-email secretemail shared-files sky-ts smapfree24 smart-mail sneakmail sofortmail spamail spritzzone streber24 t-mobile tele2 terminverpennt tkitc tokenmail top101
topmail-files topranklist tortenboxer totalmail trashemails trialmail turboprinz turboprinzessin tutanota uni unity-mail unitybox unterderbruecke vankin verlass-mich-nicht versanet versatel
vodafonemail vollbio volloeko vorsicht-bissig vorsicht-scharf war-im-urlaub wegwerf-email-adressen wegwerf-email wegwrfmail weibsvolk weinenvorglueck will-hier-weg wir-haben-nachwuchs wirsindcool
ycare zehnminuten
.dj apps zik
.dk ahaa alskens bluemail e-mail fibermail forum get2net image jubii jubiimail mail mailme netby pc post.tele sol stofanet tdcadsl webspeed youmail
.ec outlook rma tic yahoo.com
.edu australia england
.ee email hot mail neti uno
.eg tedata.net
.email abcmail btc purcell
.er tfanus.com
.es aelo cgac fastmail fut ginzi gmx hecat iespana ige infomail inicia jazztel lycos moot movistar myecho net-c orange spam.org teleline terra unican wanadoo
.et freemail
.eu abuser adiq badgerland clipmail gmx inoutmail interia mail.svenz meepsheep netc onet smapfree24 tempmail z0d zohomail
.fi elisanet inet iobox jippii kolumbus pp.inet saunalahti sci suomi24
.fm f-m fastmail poczta ua
.fr 1s 9business 9online ados aliceadsl aol bbox bouyguestelecom club-internet dotcom francemel freesurf gmx indexa libertysurf mailclub net-c netc neuf noos nordnet numericable stade voila
worldonline
.gl mor19.uu phpbb.uu xing886.uu
.gq lellno
.gr forthnet freemail hol in mail mailbox mailgate otenet outlook.com tafoi vip wef
.gt correo.terra.com
.gy ws
.hk arduino fir hotmail.com live
.hm america at
.hr inet net optinet t-com vip
.hu ak47 alvilag avh c2 c3 chello cia citromail coder cracker csinibaba digikabel drotposta eposta fbi freemail.c3 freestart geek gportal gyorsposta hello hotmail indamail invitel irj jakuza kgb lamer
levele maffia mail.vasarhely mailbox me-mail message nincsmail outlook pe pobox primposta pro programozo reply send shotgun skizo sniper soldier t-online theend upcmail vipmail warrior webmail yahoo
.id cbn.net hotmail.co mobi.web outlook.co
.ie dublin indigo iol online sky vodafone
.il 012.net barak.net hotmail.co intermail.co netvision.net outlook.co walla.co yahoo.co zahav.net
.im fastmail inboxed now wpg
.in airtelmail bsnl dataone dispo fastmail gomail hotmail.co icx live.co loin mailed penisgoes sancharnet ttml.co zohomail zweb
.info 0x207 astroempires bio-muesli buyordie centermail email4u evanfox gmx golfilla guerillamail inbox2 inoutmail ist-allein liebt-dich lukemail maidlow mail4u mailde mailinator meine-dateien
meine-fotos nullbox onlatedotcom onlineidea prydirect qv7 reallyfast simpleitsecurity smapfree24 theteastory tmpeml tropicalbass vmailing youneedmore
.io addy ixx sly spr tuta
.ir cnew
.is internet simnet vortex
.it 20email 3000 alice arubapec blu caere caltanet centoper ciaoweb cybernet dott email estranet excite fastwebnet freemail globalfree gmx ignazio interfree inwind iol jumpy legalmail lycos mail.byte
mp4 mybox net-c netc pec progetplus soon supereva teletu tin tiscali undo uno unofree vodafone wooow yui
.jp asahi-net.or biglobe.ne dion.ne disney.ne dob dti.ne eonet.ne excite.co fastmail gally goo hi-ho.ne i.softbank infomart.or infoseek jcom.home.ne lycos.ne mail.bbexcite mail.goo.ne nifty.ne ocn.ne
plala.or press.co rakumail rakuten so-net.ne softbank.ne tiki.ne uqmobile vodafone.ne ybb.ne ymobile.ne ymobile1.ne zaq.ne
.kg aknet freenet hotmail
.kh everyday.com
.kr hotmail.co live.co lycos.co outlook ruu yahoo.co
.kz hotmail yandex
.la rax
.lb yalla.com
.li cock gmx sry travel
.life royalmarket
.lk metta sltnet
.lt delfi freemail hotmail inbox ro takas
.lu marketing net-c netc sagra tiscali
.lv apollo atl e-apollo eriga ez hotmail inbox navigator one outlook sejaa
.md mail neuro ournet ubm
.me anonaddy freeletter inboxdesign inboxstore keemail lilo lru notif plw pm postonline psh slmail techgroup yanet
.mk freemail.org
.ml ericjohnson myde pojok
.mn electro
.ms mailservice server
.mx asu cavi fastmail infinitum.com lee outlook prodigy.net uol.com
.my hotmail live.com mm outlook qq tm.net yahoo.com
.name powered shut vipmail
.net 013 013net 123box 12minutemail 1mail 1me 24hourmail 263 2911 3xl 444 4email 8848 a1 aamail aaronkwok abcflash access4less acmemail acninc adelphia adios aegiscorp africamel agtx airforce airpost
alhilal alice-dsl allmail alltel altavista ameritech amrer amuro andylau animail animal animalwoman appraiser approvers arabtop army aschenbrandt asiansonly asianwired asiapoint astrosfan athenachu
atlanticbb attglobal auctioneer austrosearch awsom axtel bannertown bartender batuta belgacom bell bellair bellsouth bettergolf bezeqint bigmir bikeracers billsfan bimla birdowner bitpage blogos
bmlsports bonbon borged bounce brandallday brasilia bredband bresnan bright broadcast businessman c2i cableone caiway callsign cantv carioca cbes cegetel centurylink centurytel chandrasekar charter
chef christianmail cincinow citeweb citiz citlink city-of-westminster city-of-york cityofcardiff cl0ne close2you club4x4 clubbers clubhonda clubvdo cnmsg computermail connect4free consolidated
contractor coolmail coolsite cooperation cooperationtogo cotas coxinet cpaonline crosswinds cyber-africa cyberforeplay cybermail dabsol daryxfox davidkoh delayload deneg die-optimisten disinfo
dnainternet dogsnob dragoncon dwp dz17 earthcam earthling earthlink earthonline ecbsolutions eircom email email2me emailasso emailcorner emailengine emailforyou emailgroups emailuser emailx enel
entelchile epix europamel euskaltel every1 everymail everyone ewe ewetel examnotes exede exitstageleft extenda f1fans farang fastmail fastmailbox fatcock financemail fireman flash flashmail foobarbot
free-online freeola freeuk from-china from-france from-germany from-italy from-japan from-spain fromflorida fromhawaii frommaine fromnewyork fromoregon frontiernet frostbyte.uk fsmail ftml fuse galamb
gamebox gaza gci geography glendale glocalnet gonavy gorontalo graffiti gramszu greenmail gtemail gtmc gua guju hackermail hailmail hairdresser hawaiiantel heesun hinet hitthe hkg home.no hookup
hotfire hsuchi hughes humanoid huskion hwsye ilovetocollect in-box inbox ineec inoutmail insidebaltimore instructor internetemails internetmailing internode.on irangate islamonline ismart isp9
jetemail justemail kakadua kinglibrary kopaka kwilco lantic leehom leonlai letsgomets lineone link locomodev lovelygirl lyse mail.salu mailbomb mailbox.r2.dns-cloud mailc mailclub mailforce mailgenie
mailsent mailtv mailup malayalamtelevision mancity mcache mediacombb metrocast midco misery ml1 mms.att money moneypipe mountainregionallibrary ms1.hinet mts mundomail mxp.dns-cloud mymts mywarnernet
nagpal naplesnews nativestar nativeweb naui neeva net-pager netcenter-vn netnoir netposta netscape netzero newmail nfast nicholastse nnot northgates null nvbell oceanfree okname olympist optimum
optonline orange orgmail orthodontist ownmail pacbell passmail pconnections pemail phone photographer phreaker physicist pigpig piracha pisem planetarymotion planetearthinter planetmail pldtdsl plus
pmail populus posta posteo postmark postpro primabananen privatdemail prodigy programmer ptd pw.r4.dns-cloud qipmail qt1.ddns qwest qwestoffice r4.dns-cloud radiologist rancidhome randomail rastogi
realemail riseup saintmail salehi salesperson samilan sanim sasktel sayhi scay secretary secretservices sex.dns-cloud shahweb silkroad siol slo smapxsmap snail-mail sndt snet snowdonia socceramerica
socialworker softhome songwriter spamlot spectrum speedemail speedgaus speedpost sperke srilankan st-davids steambot sudanmail suddenlink sukhumvit sunpoint surf3 surfy surgical swbell sweetville
swissmail t-2 talktalk tb-on-line tbaytel tds teachermail teamtulsa telebot telefonica telinco telkom telkomsa telpage telus temtulsa tfz thaimail the-fastest the-galaxy the-newsletter the-student
the-whitehouse themillionare theoffice thepostmaster therapist thezhangs thismail timein tmomail totalmusic toughguy tritium turk txt.att uk2 uk7 uk8 usa usaaccess usma usmc uswestmail veryspeedy
vip.citiz vipxm virgin vivianhsu vnet.citiz volja vsnl vtr wales2000 wans warpmail watchfull wbml wearab webmail.bellsouth wegwerf-email wegwerfemail wegwrfmail wildblue windrivers windstream wolke7
worldnet.att wrexham www2000 wx88 wxnw wxs x-mail x-networks yeah yepmail yesbox yesey yifan yourlover yourteacher youvegotmail yuuhuu yxzx yyolf zensearch zhaowei zip zoominternet
.ney snail-mail
.ninja victime
.nl caiway casema chello delta fastmail freeaccess freeler freemail freesurf hccnet hetnet home ilse kpnmail kpnplanet mailmij marijuana mijnhva msn net-c online onsbrabantnet planet quicknet scarlet
solcon sp stipte tele2 telfort telfortglasvezel upc upcmail versatel vodafone vodafonethuis wxs xms xs4all zeelandnet zeepost zonnet
.no altibox broadpark frisurf getmail online spray start
.nu 888 bot email mail
.nz clear.net hotmail.co ihug.co inspire.net orcon.net outlook.co paradise.net slingshot.co snap.net vodafone.co xtra.co yahoo.co
.org 123mail 1to1mail 42o 5july adpugh adsd allowed allthegoodnamesaretaken aristotle at0mik awiki axiz benipaula borged brasx catholic childsavetrust city-of-bath city-of-brighton cityoflondon civx
cl-cl clubmember collector compareshippingrates cybertrains cylab de-a deadlymob disroot dyndns elearningjournal elitemail email emailengine emailplus ero-tube fahr-zur-hoelle fast-mail
fathersrightsne fer-gabon fishburne freeweb garbagecollector gigileung glay gmx graduate gs-arc gsredcross hazmatshipping helpinghandtaxcenter hidebox highbros imail imapmail imel inggo internet-mail
interstats ipsur jpco kalapi letterboxes linuxmail luckymail m4 mailbox mailingaddress mailorg mailworks mariah-carey.ml moeri musician musicscene navy nervhq o2stk openmailbox pagons pinehill-seattle
pleasenoham pro-tag rbb rccgmail rfc822 rootprompt royaldoodles sativa.ro schweiz shhuut shiphazmat shippingterms smapfree24 socialfurry sonnenkinder spambox speedymail starmail studentcenter suisse
svxr swissinfo switzerland teachers tech4peace temp-mail thediamants thunkinator tormail ukmail ummah unimark upf vaati vote4gop wegwerfemail wegwrfmail weibsvolk whiffles wir-sind-cool women-at-work
xsecurity yedi yourname.ddns zionweb zoetropes
.ovh it7
.pe free.com live.com outlook.com speedy.com telefonica.net yahoo.com
.pf mail
.ph globe.com hotmail live.com outlook
.pk cyber.net freemail.com live.com wol.net
.pl amorki autograf bij btizet ee1 findu gazeta go2 interia kyal moza neostrada net-c netc onet.com op opoczta poczta.onet scbox.one spoko telecomix tlen vip.onet vp yahoo yandex
.pm cek
.pro omail
.pt aeiou avls clix educacao.te iol jovem.te kanguru luso mail mail.telepac megamail meo net4b netcabo nos oninet outlook portugalmail sapo telepac universal vodafone yahoo
.pw cane inboxed nomail secmail vesa vipmail
.py go2.com
.qa qatar.net
.ro 0v 0w 9q agger anit bcb bgx bumerang cartestraina cfo2go clicknet codec coza csh dab dhm email epb go gzb hmh home icx istii jdz jmail magicbox mji nh3 nonze o.spamtrap personal posta qsl rdslink
rvb sast tefl thex tyhe vda wlist xcode ycn yodx yoo
.rs eunet hotmail mts open.telekom ptt sbb
.ru 0845 2012-2016 4nmv 5oz 74 antireg aport aport2000 asdasd atrus au autorambler beep chat dezigner dozvon-spb dred e-mail e-mails edgex email emails epage ezmail fax front geew go goldenmail
goldmail hotbox hotmail hu2 imail internet jwork km land lenta live llogin mail2k mail666 mns momentics mswork myrambler narod newmail nextmail nxt odnorazovoe omen plhk pochta programist qip rambler
rin ro supermail temp-mail top1mail top1post vipmail wegas xaker xmail yahoo z86 zmail
.sa outlook stc.com
.se altavista appc bahnhof bredbandsbolaget ceed comhem fastmail home lez mm5 passagen spray tele2 telenor tiscali
.sg host-it.com hotmail live.com netnet.com nus.edu outlook pacific.net singnet.com starhub.net
.sh ftp
.si drevo email hi5 piki
.sk azet centrum hotmail inmail lmxmail miesto orangemail outlook pobox post zoznam
.sn sunumail
.so irc linuxmail
.st auti ethos fea ind mm our thc vpn
.su asu email student
.sx glitch
.tc ze
.tech wbdev
.th hotmail.co outlook.co
.tk 1fsdfdsfsdf 2fdgdfgdfgdf 3trtretgfrfe 4gfdsgfdgfd 5ghgfhfghfgh 6hjgjhgkilkj domforfb18 domforfb19 domforfb23 domforfb27 domforfb29 mailita schmeissweg wolfsmail
.to ag.us anonymous blackmarket easy edv fastmail hello hey junk messages qc uk w3
.tr e-mail.com mail.com outlook.com ttnet.net turkcell.com yandex.com
.tv galaxy mailtv
.tw fastmail hotmail.com hpc ohi pchome.com seed.net sino
.ua 3g box e-mail email express.net i index infocom.zp meta net online search stop-my-spam.pp yandex
.uk 123qwe.co 14n.co 2bmail.co abbeyroadlondon.co aol.co blueyonder.co btopenworld.co demon.co dogmail.co ee.co email-london.co farrse.co fastmail.co fetchmail.co fmail.co force9.co freeserve.co
freeukisp.co freezone.co gaybrighton.co ginzi.co gmx.co gofree.co gynzi.co imposter.co looksmart.co lycos.co mail.co mail.org mailinator.co maxmail.co msn.co netscapeonline.co o2.co postmaster.co
scottishmail.co thewebpros.co tiscali.co topgamers.co uku.co velnet.co violinmakers.co w3internet.co zen.co zzom.co
.us 4-n bestmail fastemail fastmail freedompop g4hdrop gmx h-mail ra3 ucche utiket writeme xvx
.uy adinet.com montevideo.com yahoo.com
.uz yandex
.vc hs radiku.ye yert.ye
.ve uol.com uole.com yahoo.com
.vg china.net
.vn fpt hcm.vnn hotmail.com outlook.com viettel vnn
.website thisurl
.wf fag
.wiki solventtrap
.work conf
.ws indirect krim shut
.wtf alph
.xyz ttszuo
.yu webmail.co
.za absamail.co ananzi.co bigwhoop.co classicmail.co eastcoast.co eramail.co fnbmail.co highveldmail.co hotmail.co jmail.co kayafmmail.co live.co magicmail.co mail.co mailbox.co mighty.co mweb.co
polka.co technisamail.co tsamail.co vodamail.co wam.co webmail.co websurfer.co yahoo.co
.zone gregorsky
`;

const kept: { hosts?: ReadonlySet<string> } = {};

/** Returns true for a host of the list. */
export function isMailHost(host: string): boolean {
  kept.hosts ??= readHosts();
  return kept.hosts.has(host);
}

function readHosts(): ReadonlySet<string> {
  const read = new Set<string>();
  let top = '';
  for (const word of HOSTS.trim().split(/\s+/))
    if (word.startsWith('.')) top = word;
    else read.add(word + top);
  return read;
}

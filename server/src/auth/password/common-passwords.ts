// The most common passwords of eight or more characters, in lower case, from published lists of leaked ones. Stored
// here so that no password is ever sent elsewhere to be checked. Most are the first ones of the list of
// @zxcvbn-ts/language-common 4.1.3 (MIT licence, Copyright (c) 2012-2016 Dan Wheeler and Dropbox, Inc., 2021 @zxcvbn-ts).
import type * as z from 'zod';

export const TOO_COMMON = 'This password is too common';

/** A form that refuses common passwords. */
export function withUncommonPassword<Form extends z.ZodType<{ password: string }>>(form: Form): Form {
  return form.refine(({ password }) => !isCommonPassword(password), { error: TOO_COMMON, path: ['password'] });
}

export function isCommonPassword(password: string): boolean {
  return COMMON.has(password.toLowerCase()) || isOneCharacter(password);
}

function isOneCharacter(password: string): boolean {
  return new Set(password).size === 1;
}

export const COMMON: ReadonlySet<string> = new Set(
  `
  !qaz2wsx !qaz@wsx 0.0.0.000 00000000 000000000 0000000000 01011900 01011910 01011960 01011970 01011971 01011973
  01011974 01011975 01011976 01011977 01011978 01011979 01011980 01011981 01011982 01011983 01011984 01011985 01011986
  01011987 01011988 01011989 01011990 01011991 01011992 01011993 01011994 01011995 01011999 01012000 01012001 01012010
  01012011 01020304 01021988 01021989 01021990 01031983 01031984 01031985 01031986 01031988 01031989 01041985 01041987
  01041988 01041990 01041992 01051986 01051988 01051989 01061986 01061987 01061988 01061990 01071986 01071987 01081989
  01081990 01091985 01091987 01091989 01121986 01121987 01121988 01234567 012345678 0123456789 0192837465 02011975
  02011980 02011981 02011982 02011983 02011984 02011985 02011986 02011987 02011988 02011989 02021971 02021973 02021976
  02021979 02021980 02021981 02021982 02021983 02021984 02021985 02021986 02021987 02021988 02021989 02021990 02021991
  02031973 02031975 02031977 02031978 02031979 02031980 02031981 02031982 02031983 02031984 02031985 02031986 02031987
  02031988 02031989 02041974 02041975 02041976 02041977 02041978 02041979 02041980 02041981 02041982 02041983 02041984
  02041985 02041986 02041987 02041988 02041989 02051972 02051973 02051975 02051976 02051977 02051978 02051979 02051980
  02051981 02051982 02051983 02051984 02051985 02051986 02051987 02051988 02051989 02061976 02061977 02061979 02061980
  02061982 02061983 02061984 02061985 02061986 02061987 02061988 02061989 02071971 02071975 02071976 02071977 02071978
  02071979 02071980 02071981 02071982 02071983 02071984 02071985 02071986 02071987 02071988 02071989 02081974 02081976
  02081977 02081979 02081980 02081981 02081982 02081983 02081984 02081985 02081986 02081987 02081988 02081989 02091973
  02091975 02091976 02091977 02091980 02091981 02091983 02091984 02091985 02091986 02091987 02091988 02091989 02101976
  02101977 02101978 02101979 02101980 02101981 02101983 02101984 02101985 02101986 02101987 02101988 02101989 03011987
  03021986 03031986 03031988 03031990 03031993 03041980 03041986 03041991 03051987 03061987 03071986 03071987 03081989
  03082006 03111987 04041983 04041985 04041988 04041990 04041991 04051988 04061986 04061991 04081987 04091986 05021988
  05051985 05051987 05051989 05051990 05061986 05061990 05071984 05071988 05081988 05091988 06021987 06031983 06041987
  06041988 06051986 06061986 06071983 06081987 07051990 07071977 07071987 07071990 07081986 07091982 07091990 08031985
  08031986 08041986 08051987 08051990 08061987 08071987 08081986 08081988 08121986 09021988 09021989 09031988 09041987
  09051945 0987654321 0p9o8i7u 10011983 10011986 10011988 10011990 10031987 10031988 10031989 10031991 10041983 10041986
  10041990 10051987 10061984 10061986 10061987 10071985 10071987 10071988 10081985 10081989 10101010 101010101 10101985
  10101986 10101990 10111986 10121987 10203040 1020304050 10293847 1029384756 11011987 11011990 11011991 11021985
  11031988 11051984 11051986 11051987 11051990 11061985 11061991 11071985 11071986 11071988 11071989 11081987 11081989
  11081990 11091984 11091989 11111111 111111111 1111111111 11111986 11111987 11112222 11121985 11121986 11121987
  111222333 11221122 112211221122 11223344 1122334455 112233445566 11235813 1123581321 12011985 12011987 12011989
  12021985 12021988 12031985 12031987 12031988 12041986 12041988 12041990 12051985 12051986 12051988 12051989 12051990
  12061986 12061988 12071987 12071989 12081984 12081985 12091988 12101985 12101988 12111990 12121212 12121982 12121985
  12121987 12121988 12121989 12121990 12131415 12301230 12312312 123123123 123123123123 1232323q 123321123 12341234
  123412345 12344321 1234512345 123454321 1234554321 123456123 123456123456 123456654321 12345678 123456780 123456789
  1234567890 1234567890a 1234567890q 1234567891 12345678910 123456789101 123456789123 1234567899 123456789a 123456789d
  123456789m 123456789q 123456789qwe 123456789s 123456789z 12345678a 12345678q 12345679 123456798 1234567a 1234567q
  123456aa 123456abc 123456qw 123456qwe 123456qwerty 123456ru 12345abc 12345qaz 12345qwe 12345qwer 12345qwert
  12345qwerty 12348765 1234abcd 1234asdf 1234qwer 1234qwerty 1234zxcv 12365478 123654789 12369874 123698745 123789456
  123abc123 123qq123 123qwe123 123qwe123qwe 123qweasd 123qweasdzxc 123qwert 123qwerty 12qw12qw 12qw34er 12qwaszx
  12qwerty 13011987 13011988 13021990 13031986 13031987 13041987 13041988 13051987 13061986 13061987 13071984 13111984
  13111990 13121985 13131313 13243546 134679852 135792468 1357924680 135798642 14011986 14011987 14011988 14011989
  14021983 14021985 14021986 14021987 14021989 14021990 14031988 14041988 14051990 14061991 14071986 14071987 14071988
  14081985 14081988 14101987 14101988 14111986 14121989 14725836 147258369 1472583690 147852369 14789632 147896325
  14881488 15011985 15011986 15011987 15021983 15021985 15021986 15021990 15031988 15041988 15051981 15051985 15051986
  15051987 15051990 15061988 15071985 15071986 15071987 15071988 15081988 15081991 15091987 15091988 15101986 15111984
  15111988 15426378 159357456 159753456 159951159 16011987 16011989 16021990 16031990 16051985 16051987 16051988
  16051989 16051990 16061985 16061986 16101987 16111982 16111990 16121987 17011987 17011990 17021985 17031987 17041987
  17041991 17051988 17061986 17061988 17061989 17071985 17071989 17091987 17101986 17101987 17111985 18011986 18011987
  18021984 18021986 18021987 18021988 18031991 18041986 18041990 18051988 18051990 18061985 18061990 18091985 18091986
  18101987 18111987 18436572 19011987 19011989 19021990 19031985 19051986 19051987 19061985 19061987 19061990 19071986
  19071988 19071990 19091988 19101986 19101987 19101990 19111986 19111987 19121989 19283746 192837465 19411945 19841984
  19851985 19861986 19871987 19881988 19891989 19901990 1a2b3c4d 1a2s3d4f 1michael 1passwor 1q2w3e4r 1q2w3e4r5
  1q2w3e4r5t 1q2w3e4r5t6y 1q2w3e4r5t6y7u8i 1qa2ws3ed 1qaz1qaz 1qaz2wsx 1qaz2wsx3edc 1qaz@wsx 1qazxsw2 1x2zkg8w 1z2x3c4v
  20002000 20011988 20011989 20021985 20021986 20021988 20031986 20031987 20031988 20031991 20041986 20041988 20051985
  20051988 20061986 20061988 20071986 20081986 20081991 20091986 20091988 20091991 20102010 20111986 20121989 20202020
  21011988 21011989 21011991 21021985 21031987 21031988 21031990 21041985 21041992 21051986 21051988 21051991 21061985
  21061986 21071987 21071989 21081987 21101986 21101989 21111985 21111990 21121986 21122112 21212121 22011986 22011988
  22021985 22021986 22021988 22021989 22021990 22031984 22031991 22041985 22041986 22041987 22041988 22051986 22061941
  22061987 22061988 22061989 22061990 22071983 22071986 22071987 22071989 22081983 22081986 22091988 22121983 22121986
  22121987 22222222 23011985 23011990 23021985 23021986 23021988 23021989 23031987 23031990 23041986 23041987 23051985
  23051986 23051987 23051990 23051991 23061990 23456789 23skidoo 24011985 24011987 24011990 24021991 24031988 24031990
  24051990 24061986 24061987 24061988 24061992 24071987 24091986 24101986 24111987 24111989 24111990 24121986 25011985
  25011986 25011990 25011993 25021988 25031987 25041985 25041988 25061985 25061986 25071990 25081988 25091987 25091990
  25101988 25101989 25111987 25121987 25800852 25802580 26021987 26031984 26031986 26031987 26031988 26031990 26041986
  26041991 26051988 26061985 26061987 26091986 26101986 26111985 27011988 27021991 27031987 27031989 27041990 27051987
  27061985 27061988 27071987 27081986 27081990 27091985 27111985 28011987 28021985 28021986 28021990 28021992 28031982
  28041987 28041992 28051986 28051987 28061986 28071986 28121984 29011985 29011987 29041985 29051985 29051989 29051990
  29061989 29061990 29071983 29071985 29081985 29081990 29111989 29121987 2wsx3edc 30011985 30011986 30031988 30041985
  30041986 30041987 30051985 30061987 30081984 30121987 31011987 31011990 31031988 31121987 31121988 31121990 31415926
  314159265 321321321 321654987 33333333 369258147 3edc4rfv 44444444 456123789 456789123 45m2do5bs 4815162342 4rfv5tgb
  50spanks 51505150 5201314520 55555555 5wr2i7h8 66666666 69696969 69camaro 73501505 74108520 741852963 77777777
  777777777 78945612 789456123 7894561230 789456123a 7ugd5hip2j 852456852 87654321 876543210 88888888 888888888 8j4ye3uz
  9293709b13 963852741 987456321 987654321 9876543210 99999999 999999999 9999999999 a1234567 a12345678 a123456789
  a1a2a3a4 a1b2c3d4 a1b2c3d4e5 a1s2d3f4 a5201314 aa112233 aa123456 aa12345678 aaa111aaa aaa12345 aaaaaaaa aaaaaaaaa
  aaaaaaaaaa aabb1122 aabbccdd aardvark abab1212 abc123123 abc12345 abc123456 abc123abc abcabcabc abcd123! abcd1234
  abcd12345 abcd123456 abcd@1234 abcde123 abcde12345 abcdef123 abcdefg1 abcdefg123 abcdefgh abcdefghi aberdeen abnormal
  abrakadabra absolute absolutely access123 access14 achilles acidburn adgjmptw admin123 admin123! admin1234 admin12345
  admin123456 admin2020 admin2024 admin@123 adminadmin administrator administrator1 adrenalin adrienne agent007 airborne
  airforce airplane albatros alejandr alejandra alejandro aleksandr aleksandra alessandro alexalex alexande alexander
  alexander1 alexandr alexandra alexandre alhamdulillah alleycat alliance almighty alphabet amateurs ambrosia america1
  american americas amsterda amsterdam anaconda anastasi anastasia anastasiya andersen anderson andrew123 andromed
  andromeda andyod22 angel123 angel1234 angelica angelika angelina angels123 anhyeuem annabell annmarie antelope
  anthony1 antonina anything aolsucks apollo11 apollo13 apple123 applepie aquarius archange argentin argentina arkansas
  armagedon armstron arsenal1 arsenal123 as123456 asd12345 asd123456 asd123asd asdasd123 asdasdasd asdf1234 asdfasdf
  asdfg123 asdfgh01 asdfgh123 asdfghjk asdfghjkl asdfghjkl1 asdfghjkl; asdfjkl; asdfqwer asdfzxcv asdqwe123 asdzxc123
  ashleigh ashley12 ashley123 aspirine assassin asshole1 assholes atlantic atlantis attitude augustus austin31 australi
  australia autumn2023 autumn2024 autumn2025 avalanch aviation awesome1 azerty123 azertyui azertyuiop azsxdcfv babybaby
  babyblue babyboo1 babyboy1 babydoll babyface babygirl babygirl1 babygirl123 babylon5 babylove backdoor badboy123
  balloons baltimor bangbang baracuda barbados barcelon barcelona barcelona1 barefoot baritone barselona baseball
  baseball1 baseball123 basketba basketball basketball1 bastards batman123 bayern123 bcfields bearbear bearcats beatles1
  beatrice beautifu beautiful beautiful1 beefcake beerbeer benjamin benjamin1 bergkamp berkeley besiktas1 bestfriend
  bestfriends bigballs bigblock bigboobs bigbooty bigdaddy bigdicks bigmoney bigpoppa billabon billybob billyboy
  binladen birthday bismarck bismillah bitchass biteme123 blackbir blackbird blackcat blackdog blackhaw blackjac
  blackjack blackman blackout blahblah blessed1 blessing blink182 blizzard blowfish blue1234 blueball bluebell blueberry
  bluebird blueblue blueeyes bluefish bluejays bluemoon bluesman bobafett bobdylan bobmarley bolivia1 bollocks bonehead
  bonjour1 bonjour123 bookworm boomboom borabora bordeaux borussia bradford bradley1 brandon1 brandon123 brasil123
  brewster brighton brigitte brittany brittney broadway broncos1 brooklyn brothers browning brucelee bubba123 bubbles1
  buckeyes buckshot budapest buddy123 buddyboy budlight budweise budweiser buffalo1 building bulldog1 bulldogs bullfrog
  bullseye bullshit bunghole business buttercu buttercup butterfl butterfly butterfly1 butterfly123 buttfuck butthead
  butthole cabernet cadillac caliente californ california california1 caligula calimero callaway callisto callofduty
  camaross cambiami cambridg cameltoe cameron1 camille1 campbell canadian candyman cannabis capetown capricor capricorn
  capslock captain1 cardinal cardinals carebear carlitos carnival carolina caroline carpedie carpente cartman1 cartoons
  casanova cashmone cassandr castillo catalina catherin catherine catwoman cavalier cbr900rr cdtnkfyf celtic1888
  cerberus cfitymrf chainsaw challeng chambers champion chandler changeit1 changeme changeme! changeme1 changeme123
  chargers charisma charlene charles1 charlie1 charlie123 charlott charlotte charlton chatgpt1 chatgpt123 checkers
  cheesecake chelsea1 chelsea123 chemical cherokee cherries cherry123 cheshire chester1 chestnut chevelle chevrole
  chevrolet cheyenne chicago1 chicken1 chickens children chipmunk chiquita chivas123 chocolat chocolate chocolate1
  chocolate123 choochoo chouchou chris123 chrisbln christia christian christie christin christina christine christma
  christmas christop christopher chrysler chuckles cinnamon cjkysirj clarence clarinet clarissa classics claymore
  cleopatr cleopatra clevelan cleveland clifford clippers clitoris cnfybckfd cocacola cocksuck cocksucker coldbeer
  coldplay colombia colonial colorado coltrane columbia columbus comanche commande commando complete computer computer1
  computer123 concorde concrete confused consumer contract contrasena contraseña cookies1 coolcool cooldude coolness
  corinthians corleone cornwall corvette costello cosworth counterstrike courtney coventry cowboys1 crackers crawford
  crazybab creampie creation creative creature cricket1 criminal cristian cristiano cristiano7 cristina crjhgbjy
  cromwell crusader crystal1 cucumber cupcake1 customer cutiepie cygnusx1 daisydog daniel12 daniel123 daniela1 danielle
  dannyboy darkange darkangel darklord darkness darkside darkstar daughter david123 davidson daylight dbrnjhbz deadhead
  deadpool death666 december deepthroat deeznuts deeznutz default1 default123 defender deftones delaware demo1234
  derparol designer destiny1 devil666 devildog dfktynby dfktynbyf diamond1 diamonds dickhead dietcoke digital1 dilbert1
  dilligaf dima1234 dingdong dinosaur director dirtbike discover dkflbckfd dkflbvbh doberman dodgeram dodgers1 doghouse
  dogpound dolemite dolphin1 dolphins dominion dominiqu dontknow doomsday dortmund09 doudou123 doughboy download
  downtown dragon12 dragon123 dragon69 dragon99 dragonba dragonball dragonfl dragster drowssap drpepper drummer1
  dthjybrf dudedude dukeduke dutchess dynamite eagles123 earnhard earthlink eastside eastwood eatpussy eclipse1 eggplant
  einstein ekaterina elcamino eldorado electric electron eleonora elephant elisabet elizabet elizabeth elizabeth1
  elizaveta eminem123 emmanuel enforcer engineer england1 enternow enterpri enterprise ericsson escalade espresso
  estrella eternity evangelion everlast everton1 evolutio evolution excalibu excalibur exchange explorer f00tball
  facebook facebook1 fairlane faithful fandango fantasia fantomas farscape fastball fearless february federico fellatio
  fenerbahce ferguson fernanda fernando ferrari1 festival fgtkmcby fireball firebird fireblad firefigh firefire fireman1
  firewall fishbone fishfish fishhead fishing1 fkbyjxrf fktrcfylh fktrcfylhf flamengo flamengo1 flamingo fletcher
  flexible flipflop florence florida1 flounder flower123 flowers1 football football1 football12 football123 fordf150
  forever1 foreverlove forgetit formula1 forsaken fortnite fortress fountain foxylady francesc francesco francisc
  francisco francois franklin freckles frederic fredfred fredrick freebird freedom1 freedom123 freefall freefree
  freepass freeporn freeuser friday13 friendly friendster front242 frontier fuck_inside fuckface fuckfuck fuckhead
  fuckinside fuckoff1 fuckthis fuckyou! fuckyou1 fuckyou123 fuckyou2 fullmoon function funstuff fussball futurama
  fyfcnfcbz fyfnjkbq fyutkbyf fyutkjxtr gabriel1 gabriela gabriele gabriell galatasaray galatasaray1 gamecock gamecube
  gameover gandalf1 ganesha1 gangbang gangsta1 gangster garfield garfield1 gargoyle gateway1 gateway2 gatorade gbhfvblf
  genesis1 geoffrey germany1 geronimo gertrude gesperrt getmoney gfhjkm123 gfhjkmgfhjkm ghbdtn123 ghbdtnbr ghblehjr
  ghbywtccf ghhh47hj7649 ghjcnjgfhjkm ghjcnjnfr ghjuhfvvf ghostrider gilligan giovanna giovanni giuseppe gladiato
  gladiator gn56gn56 godfathe godfather godisgood godsmack godzilla goldberg goldeney goldfing goldfish goldstar
  goldwing golfball golfgolf gonzales gonzalez good123654 goodgirl goodluck goodtime google123 gordon24 gorgeous
  gotohell graphics grateful greatone green123 greenbay greenday gretchen gsxr1000 gtnhjdbx guardian guest123 guest1234
  guinness guitar123 hairball halflife hallo123 hallo1234 hamilton handball handsome handyman hannibal happiness
  happy123 happyday hardball hardcock hardcore harddick hardrock hardware harley123 harrison harrypotter haslo123
  hastings hattrick hawaii50 hawaiian hawkeyes hayabusa heather1 hedgehog heineken heinrich hellfire hello123 hello123!
  hello1234 hello12345 hellohello hellokitty helloworld hellsing hellyeah hercules herewego heritage hetfield highbury
  highheel highland highlander hockey123 holidays hollywoo hollywood holyshit homemade homework honeybee hongkong
  honolulu hooligan hoosiers hopeless hotgirls hotpussy hotstuff hounddog houston1 htubcnhfwbz hurrican hurricane
  hyperion icecream icehouse idontkno idontknow ihateyou ilikepie illinois illusion ilovegod ilovejesus iloveme1
  ilovemom ilovemyself ilovesex iloveu123 iloveyou iloveyou! iloveyou1 iloveyou12 iloveyou123 iloveyou2 immortal
  imperial india123 india@123 indonesia indonesia1 infantry infiniti infinity insallah insanity insomnia inspiron
  intercourse internet internet1 internet123 intrepid intruder inuyasha irishman ironmaiden isabella isabelle islander
  istanbul istanbul34 iverson3 jackass1 jackjack jackson1 jackson5 jaimatadi jakejake james007 james123 jamesbon
  jamesbond january1 japanese jasmine1 jayhawks jeanette jeepster jefferso jehovah1 jellybea jellybean jennifer
  jennifer1 jeremiah jermaine jessica1 jessica123 jesus123 jesuschrist jetaime1 jetaime123 jiggaman johannes johncena
  johndeer johngalt johnjohn johnson1 jonathan jonathan1 jonathon jordan123 jordan1234 jordan23 josephin joshua12
  joshua123 juliette just4fun justdoit juventus kakashka kamasutra kamikaze kangaroo karolina katarina katerina katherin
  katherine kathleen kawasaki kayleigh kazantip kcj9wx5n kentucky kenworth keyboard keystone killbill killer12 killer123
  killkill kimberly kingfish kingkong kingston kirkland kisskiss kissmyass kittycat kittykat kjrjvjnbd kleopatra
  klondike knickers knockers knuckles kobe2424 konstantin kordell1 koroleva krasotka krishna1 kristian kristina kristine
  krokodil labrador lacrosse laetitia lakers24 lakeside lakewood lalakers lamborghini lancelot lasvegas laurence
  lawrence leavemealone leedsutd lemonade lenochka leonardo lesbians letmein! letmein1 letmein12 letmein123 letmein2
  lfitymrf lifehack lifetime lighting lightnin lightning limewire lineage2 linkedin linkedin1 linkinpark lionking
  lipstick lisalisa liverpoo liverpool liverpool1 liverpool123 lkjhgfdsa login123 login1234 logitech lokiloki lokomotiv
  lollipop lollypop lonesome lonestar lonewolf longdong longhorn longjohn lorraine love1234 love12345 loveless lovelife
  lovelove lovely123 loveme123 loverboy loveyou1 lowrider luckydog luckyone m1234567 macdaddy madeline madison1 magazine
  magellan magician magicman magnolia mailcreated5240 majestic makaveli maksimka malaysia1 mallorca mamacita mamapapa
  manager1 manchest manchester mandarin mandingo mandrake maradona marathon marcello marcius2 margaret margarit
  margarita marianna marianne marijuan marijuana marina123 mariners marines1 marino13 mariposa marjorie marlboro
  marriage marseill marseille marseille13 marshall martinez maryjane maryland masamune maserati mash4077 master01
  master12 master123 masterbate matthew1 matthews matthias maverick maverick1 maxwell1 mazafaka mazda626 mazdarx7
  mcdonald mckenzie meatball meathead meatloaf mechanic medicine megadeth megapass megatron melanie1 melissa1 meowmeow
  mephisto mercedes mercedes1 meredith meridian merlin123 mersedes messi1010 messi123 metallic metallica metallica1
  mexico123 michael1 michael123 michael2 michaela michaels michelle michelle1 michigan mickey123 microlab microphone
  microsof microsoft midnight midnight1 mikemike military millenium millions millwall minecraft minecraft1 minecraft123
  minemine minimoni ministry minnie123 mischief misfit99 mississippi missouri mistress mitchell mnbvcxz1 mobydick
  modelsne mohammed mollydog monalisa monday123 money123 moneyman mongoose monkey12 monkey123 monkeybo monkeys1 monopoly
  monster1 monsters montana1 montgom240 montreal moonbeam moonligh moonlight moonshin morpheus morrison morrowind
  mortgage mortimer motdepasse motherfucker motherlode motorola mountain mudvayne muhammad mulligan multiplelo munchkin
  mushroom musica123 musicman mustang1 mustang2 mustang6 mustangs mylove123 mypass123 mypassword mysecret myspace1
  myxworld napoleon naruto123 nascar24 nascar88 nastya123 natalie1 natasha1 nathalie national nautilus navigator
  navyseal ncc1701a ncc1701d ncc1701e ncc74656 nebraska netscape nevermind nevermore newcastl newcastle newpass6
  newpassword newyork1 neymar11 nicholas nightmar nightmare nightwish nineinch ninja123 nintendo nirvana1 nokia6233
  nokia6300 nokian73 noname123 nonenone nopassword normandy northern nostromo notebook nothing1 nounours november
  nuttertools nwo4life nygiants oblivion obsidian oklahoma onelove1 opendoor operator optimist original overkill
  overlord p0015123 p0o9i8u7 p4ssw0rd p@55w0rd p@ssw0rd p@ssw0rd! p@ssw0rd1 p@ssw0rd123 p@ssword p@ssword1 p@ssword123
  pa$$w0rd pa$$word pa55w0rd pa55word packers1 paintbal paintball pakistan pakistan1 pakistan123 pallmall palmeiras
  palmtree panasoni panasonic pantera1 panther1 panthers pantyhos papillon paradigm paradise paramedi paranoid parola123
  pasadena pass1234 pass12345 pass123456 pass@123 pass@1234 pass@word1 passpass passport passw0rd passw0rd! passw0rd1
  passw0rd123 passwor1 password password! password#1 password. password01 password1 password1! password1. password10
  password11 password12 password123 password1234 password12345 password123456 password2 password2020 password2021
  password2022 password2023 password2024 password2025 password21 password22 password23 password3 password69 password7
  password88 password9 password99 password@1 password@123 passwordpassword passwords passwort passwort1 patches1
  pathfind patience patricia patrick1 patriots pavilion peaches1 pearljam peekaboo penelope penetration penguin1
  penguins pentagon penthous perfect1 personal peterbil peterpan peterson phantom1 pharmacy phialpha philippe
  philippines phillies phillips phoenix1 pianoman pictures pikachu1 pimpdadd pineappl pineapple pingpong pinkfloy
  pinkfloyd pinnacle pipeline piramida pirates1 plastics platinum platypus playboy1 playstat playstation playtime
  pleasure plymouth poiuytrewq pokemon1 pokemon123 polniypizdec0211 polopolo poohbear pool6123 poontang pooppoop
  porkchop pornking pornporn pornstar porsche1 porsche9 porsche911 portland portugal poseidon positive power123 preacher
  precious predator presario presiden president princesa princess princess1 princess12 princess123 pringles printing
  private1 progress property prospect pufunga7782 pumpkin1 pumpkins punisher punkrock puppydog pussy123 pussycat
  pussyman q1234567 q12345678 q123456789 q1w2e3r4 q1w2e3r4t5 q1w2e3r4t5y6 q2w3e4r5 qawsedrf qaz123wsx qazqazqaz qazwsx12
  qazwsx123 qazwsxed qazwsxedc qazwsxedc123 qazwsxedcrfv qazxswedc qq123123 qq123456 qqww1122 question qwaszx12
  qwe123qwe qweasd123 qweasdzxc qweasdzxc123 qweqweqwe qwer1234 qwer12345 qwerasdf qwerasdfzxcv qwert123 qwert1234
  qwert12345 qwerty01 qwerty11 qwerty12 qwerty123 qwerty1234 qwerty12345 qwerty123456 qwerty22 qwerty321 qwerty789
  qwerty99 qwertyqaz qwertyqwerty qwertyu1 qwertyui qwertyuio qwertyuiop qwertyuiop1 qwertyuiop123 qwertyuiop[] qwsxcde3
  r2d2c3po rachelle radiohea radiohead ragnarok raiders1 railroad rainbow1 rainbow123 rainbow6 rainbows rainyday
  raistlin rammstein rangers1 rasputin rastaman realmadrid rebecca1 reckless recovery redalert redbaron reddevil
  reddwarf redskins redsox04 redwings reginald register remember remingto renegade republic research resident revolution
  revolver reynolds rfhnjirf rfnthbyf rfntymrf rfvfcenhf rhbcnbyf rhfcjnrf rhiannon rhjrjlbk rhtdtlrj riccardo richard1
  richards richmond rightnow rjhjktdf rjirfrgbde rjycnfynby roadkill roadking roadrunn roadrunner roadster robinson
  roblox123 robotech robotics rochelle rockford rockhard rocknrol rockstar rockstar1 rockwell rolltide romantic romashka
  ronaldo123 ronaldo7 root1234 rootbeer rootroot rosemary runescape rush2112 s1234567 sabrina1 sailboat salamander
  salasana salvador samantha samantha1 sammy123 samsung1 samsung123 sandiego sandrine sandwich santiago saopaulo
  sapphire saratoga sasha123 sasha_007 satan666 saturday sausages savannah sayang123 sayangku scarface scarlett
  schalke04 schatz123 scheisse scooby123 scoobydo scoobydoo scooter1 scorpio1 scorpion scorpions scotland scrabble
  scrapper screamer seahawks sebastia sebastian sebastian1 secret1! secret12 secret123 security seinfeld seminole
  semperfi senators senha123 sentinel septembe september serenity sergeant sersolution server123 services sexybitch
  sexygirl sexylady sexysexy shadow12 shadow123 shamrock shaney14 shanghai shannon1 sheepdog shepherd sheridan sherlock
  sherwood shitface shithead shopping showtime sidekick sigmachi silverad simpsons sinclair singapor singapore sinister
  sithlord skateboard skittles skorpion skywalke skywalker slamdunk slapshot slimshad slimshady slipknot slipknot1
  slippery slowhand smackdow smashing smeghead smirnoff smokeweed smoothie sneakers snickers snoopdog snoopy123 snowball
  snowbird snowboar snowboard snowflak snowflake snuggles soccer10 soccer12 soccer123 socrates softball softball1
  software sojdlg123aljg soleil123 solitude solution somerset somethin something sommer123 sommer2024 sonyericsson
  sonyfuck soso123aljg soulmate southern southpar southpark southpaw spaceman spanking spartak1 spartan1 spartans
  speakers specialk spectrum speedway spencer1 spiderma spiderman spiderman1 spitfire splinter spongebo spongebob
  sporting spring2023 spring2024 spring2025 springer sprinter squirrel srinivas stafford stalker1 stallion standard
  stanford stanislav stanley1 starbuck starcraf starcraft stardust starfire starfish stargate starligh starlight
  starship starstar startrek starwars starwars1 steelers steelers1 stefanie stephane stephani stephanie stephen1
  sterling stickman stigmata stingray stocking stonecol stonecold straight stranger stratfor strawber strawberry
  strength stripper suburban success1 suckdick suckmydick sullivan summer12 summer123 summer2020 summer2021 summer2022
  summer2023 summer2024 summer2025 summer69 summer99 sundance sundevil sunflowe sunflower sunflower1 sunnyday sunshine
  sunshine1 sunshine12 sunshine123 super123 superfly superior superman superman1 superman123 supernov supersta superstar
  support1 survivor suzuki123 svetlana sweetheart sweetie1 sweetnes sweetness sweetpea swimming swingers swinging
  swordfis swordfish sylveste syncmaster syracuse system32 tacobell taekwondo talisman tarheels tazmania teamo123
  teamomucho technics teddybea teddybear telephon telephone temp1234 temporary temppass tequiero terminal terminat
  terminator terminator1 terrapin test1234 test1234! test12345 test123456 test@123 tester123 testing1 testing123
  testpass testpassword testtest thailand thanatos thankyou thedoors theforce thegreat theodore thepassword therock1
  thirteen thisisit thomas123 thompson threesom thuglife thumper1 thunder1 thunderb thursday tiberius tiffany1 tiger123
  tinkerbe tinkerbell tinkerbell1 titanium titleist tkbpfdtnf together tokiohotel tomahawk tommyboy tomorrow toonarmy
  toor1234 topsecret toriamos tottenha tottenham touching training transfer translator traveler treasure treefrog
  trfnthbyf triangle trinidad trinitro trinity1 trombone tropical trouble1 trucking truelove trustme1 trustno1 tunafish
  turkey50 twilight twitter1 ultimate umbrella underdog underground undertak undertaker universa universal universe
  university user1234 user12345 username username1 usuckballz1 vacation vagabond valencia valentin valentina valentine
  valhalla valkyrie vampires vancouve vanessa1 vanguard vanhalen vasco123 vasilisa vauxhall velocity vendetta verbatim
  veronica veronika vfhbyf123 vfhufhbnf vfitymrf vfntvfnbrf vfrcbvrf vfvfgfgf victoria victoria1 viewsoni viewsonic
  vikings1 viktoria viktoriya vincent1 violetta vipergts virginia vjqgfhjkm vkontakte vladimir vladislav volkswag
  volleyball voyager1 vqsablpzla vsjasnel12 wachtwoord wanderer warcraft wareagle warhamme warhammer warrior1 warriors
  washburn washingt washington waterboy waterloo watermelon webhompas webmaste webmaster welcome1 welcome1! welcome12
  welcome123 welcome2020 welcome2021 welcome2022 welcome2023 welcome2024 welcome2025 welcome@123 werewolf westside
  westwood wetpussy wg8e3wjf whatever whatever1 whatwhat whiplash whiskers whistler whiteboy whiteout whitesox whocares
  wildbill wildcard wildcats wildfire wildwood william1 williams windmill windsurf winston1 winter12 winter123
  winter2020 winter2021 winter2022 winter2023 winter2024 winter2025 wireless wishbone wizard123 woaini1314 woaini520
  wolfgang wolfpack wolverin wolverine woodland woodstoc woofwoof wordpass wp2003wp wrangler wrestler wrestlin wrestling
  wrinkle1 xxxxxxxx yamaha123 yamahar1 yankees1 yankees2 yeahbaby yfcntymrf yjdsqgfhjkm yogibear yosemite youtube1
  yuiop123 z1234567 z1x2c3v4 zachary1 zanzibar zaq12wsx zaq1@wsx zaq1xsw2 zaq1zaq1 zaqwsx123 zaqwsxcde zaqxswcde
  zenit1925 zeppelin zerocool zildjian zombie123 zxasqw12 zxcasdqwe zxcasdqwe123 zxcv1234 zxcvasdf zxcvbnm, zxcvbnm1
  zxcvbnm12 zxcvbnm123 zxczxczxc zz123456 zzzzzzzz
`
    .trim()
    .split(/\s+/),
);

// The most common passwords of eight or more characters, in lower case, from published lists of leaked ones. Stored
// here so that no password is ever sent elsewhere to be checked.

export const TOO_COMMON = 'This password is too common';

export function isCommonPassword(password: string): boolean {
  return COMMON.has(password.toLowerCase()) || isOneCharacter(password);
}

function isOneCharacter(password: string): boolean {
  return new Set(password).size === 1;
}

const COMMON = new Set(
  `
  !qaz2wsx !qaz@wsx 00000000 000000000 0000000000 01234567 012345678 0123456789 0987654321 0p9o8i7u 10101010
  101010101 10203040 1020304050 11111111 111111111 1111111111 11112222 112211221122 11223344 1122334455 112233445566
  11235813 12121212 123123123 123123123123 12341234 123412345 12344321 1234512345 123454321 1234554321 123456123
  123456123456 123456654321 12345678 123456780 123456789 1234567890 1234567891 12345678910 123456789101 123456789123
  1234567899 123456789a 123456789q 12345678a 12345678q 12345679 123456798 1234567a 1234567q 123456abc 123456qwe
  123456qwerty 12345qwert 12345qwerty 1234abcd 1234qwer 1234qwerty 123654789 12369874 123698745 123789456 123abc123
  123qwe123 123qwe123qwe 123qweasd 123qweasdzxc 12qw12qw 12qwaszx 12qwerty 13131313 14725836 147258369 1472583690
  147852369 159357456 159753456 159951159 19841984 19851985 19861986 19871987 19881988 19891989 19901990 1q2w3e4r
  1q2w3e4r5t 1q2w3e4r5t6y 1q2w3e4r5t6y7u8i 1qaz1qaz 1qaz2wsx 1qaz2wsx3edc 1qaz@wsx 1qazxsw2 20002000 20102010
  20202020 21212121 22222222 23456789 2wsx3edc 31415926 314159265 321321321 33333333 369258147 3edc4rfv 44444444
  456123789 456789123 4rfv5tgb 5201314520 55555555 66666666 69696969 741852963 77777777 777777777 789456123
  789456123a 852456852 87654321 876543210 88888888 888888888 963852741 987654321 9876543210 99999999 999999999
  9999999999 a1234567 a12345678 a123456789 a1a2a3a4 a1b2c3d4 a1b2c3d4e5 a1s2d3f4 a5201314 aa112233 aa123456
  aa12345678 aaa111aaa aaa12345 aaaaaaaa aaaaaaaaa aaaaaaaaaa aabb1122 aabbccdd abab1212 abc123123 abc12345
  abc123456 abc123abc abcabcabc abcd123! abcd1234 abcd12345 abcd123456 abcd@1234 abcde123 abcde12345 abcdef123
  abcdefg1 abcdefg123 abcdefgh abcdefghi access123 access14 admin123 admin123! admin1234 admin12345 admin123456
  admin2020 admin2024 admin@123 adminadmin administrator administrator1 alejandra alejandro alexander alexander1
  alexandra alexandre alhamdulillah america1 american americas andrew123 angel123 angel1234 angelina angels123
  anthony1 anything argentina arsenal1 arsenal123 as123456 asd12345 asd123456 asd123asd asdasd123
  asdasdasd asdf1234 asdfasdf asdfg123 asdfgh01 asdfgh123 asdfghjk asdfghjkl asdfghjkl1 asdfghjkl; asdfjkl; asdfqwer
  asdzxc123 ashley12 ashley123 asshole1 australia autumn2023 autumn2024 autumn2025 azerty123 azertyui azertyuiop
  azsxdcfv babyboo1 babyboy1 babydoll babygirl babygirl1 babygirl123 badboy123 barcelona barcelona1 baseball
  baseball1 baseball123 basketball basketball1 batman123 bayern123 beautiful beautiful1 benjamin benjamin1 besiktas1
  bestfriend bestfriends bigdaddy bismillah biteme123 blessed1 blink182 blueberry bobmarley bolivia1
  bonjour1 bonjour123 brandon1 brandon123 brasil123 bubbles1 bullshit butterfly butterfly1 butterfly123 california
  california1 callofduty camille1 carolina caroline celtic1888 changeit1 changeme changeme! changeme1
  changeme123 charlie1 charlie123 chatgpt1 chatgpt123 cheesecake chelsea1 chelsea123 cherry123 chicago1 chivas123
  chocolate chocolate1 chocolate123 chouchou christian christina christine christopher colombia computer computer1
  computer123 contrasena contraseña cookies1 corinthians corvette counterstrike cowboys1 cristiano cristiano7
  crystal1 cupcake1 cutiepie daniel12 daniel123 daniela1 danielle december default1 default123 demo1234 diamond1
  diamonds dima1234 dolphin1 dolphins dortmund09 doudou123 dragon12 dragon123 dragon99 dragonball drummer1 eagles123
  elephant elizabeth elizabeth1 eminem123 england1 everton1 facebook facebook1 february fenerbahce fernanda fernando
  ferrari1 fireman1 flamengo flamengo1 flower123 flowers1 football football1 football12 football123
  forever1 foreverlove fortnite francesco francisco freedom1 freedom123 friday13 fuckyou!
  fuckyou1 fuckyou123 fuckyou2 gabriel1 gabriela galatasaray galatasaray1 ganesha1 gangsta1 gangster garfield
  garfield1 gateway1 germany1 ghbdtn123 giovanni gladiator godfather godisgood goodluck google123 greenday guest123
  guest1234 guitar123 hallo123 hallo1234 hardcore harley123 haslo123 hello123 hello123! hello1234 hello12345
  hellohello hellokitty helloworld hockey123 hurricane ilovegod ilovejesus iloveme1 ilovemom ilovemyself iloveu123
  iloveyou iloveyou! iloveyou1 iloveyou12 iloveyou123 iloveyou2 india123 india@123 indonesia indonesia1 insallah
  internet internet1 internet123 isabella isabelle istanbul34 iverson3 jackass1 jackson5 jaimatadi january1 jehovah1
  jennifer jennifer1 jessica1 jessica123 jesus123 jesuschrist jetaime1 jetaime123 johncena jonathan jonathan1
  jordan123 jordan1234 jordan23 joshua12 joshua123 juliette juventus katherine kawasaki kobe2424 krishna1 lakers24
  lamborghini letmein! letmein1 letmein12 letmein123 letmein2 lightning linkedin linkedin1 linkinpark liverpool
  liverpool1 liverpool123 lkjhgfdsa login123 login1234 lollipop lollypop love1234 love12345 lovelove lovely123
  loveme123 loveyou1 m1234567 malaysia1 manager1 manchester margaret marijuana marina123 marlboro marseille
  marseille13 master01 master12 master123 matthew1 maverick maverick1 mercedes mercedes1 merlin123 messi1010
  messi123 metallica metallica1 mexico123 michael1 michael123 michelle michelle1 mickey123 microsoft midnight
  midnight1 minecraft minecraft1 minecraft123 minnie123 mnbvcxz1 monday123 monkey12 monkey123 monkeys1 moonlight
  motdepasse musica123 mustang1 mylove123 mypass123 mypassword mysecret myspace1 naruto123 nascar24
  nascar88 nastya123 natasha1 nathalie newpassword newyork1 neymar11 nicholas ninja123 nintendo nirvana1 nopassword
  nothing1 november onelove1 p@55w0rd p@ssw0rd p@ssw0rd! p@ssw0rd1 p@ssw0rd123 p@ssword p@ssword1 p@ssword123
  pa$$w0rd pa$$word pakistan pakistan1 pakistan123 palmeiras parola123 pass1234 pass12345 pass123456 pass@123
  pass@1234 pass@word1 passpass passw0rd passw0rd! passw0rd1 passw0rd123 password password! password#1 password.
  password01 password1 password1! password1. password10 password11 password12 password123 password1234 password12345
  password123456 password2 password2020 password2021 password2022 password2023 password2024 password2025 password21
  password22 password23 password3 password69 password7 password88 password9 password99 password@1 password@123
  passwordpassword passwort passwort1 patricia patrick1 patriots peaches1 peekaboo phantom1 philippines phoenix1
  pikachu1 pineapple pirates1 playboy1 playstation poiuytrewq pokemon1 pokemon123 porsche911 portugal predator
  princesa princess princess1 princess12 princess123 pumpkin1 q1234567 q12345678 q123456789 q1w2e3r4
  q1w2e3r4t5 q1w2e3r4t5y6 q2w3e4r5 qawsedrf qaz123wsx qazqazqaz qazwsx123 qazwsxedc qazwsxedc123 qazxswedc qq123123
  qq123456 qqww1122 qwaszx12 qwe123qwe qweasd123 qweasdzxc qweasdzxc123 qweqweqwe qwer1234 qwer12345 qwerasdf
  qwerasdfzxcv qwert123 qwert1234 qwert12345 qwerty01 qwerty11 qwerty12 qwerty123 qwerty1234 qwerty12345
  qwerty123456 qwerty22 qwerty321 qwerty789 qwerty99 qwertyqaz qwertyqwerty qwertyu1 qwertyui qwertyuio qwertyuiop
  qwertyuiop1 qwertyuiop123 qwertyuiop[] qwsxcde3 rainbow1 rainbow123 rangers1 realmadrid redsox04 roblox123
  rockstar rockstar1 ronaldo123 ronaldo7 root1234 rootroot runescape s1234567 salasana samantha samantha1 samsung1
  samsung123 saopaulo sayang123 sayangku schalke04 schatz123 scooby123 scorpion scorpions scotland sebastian
  sebastian1 secret1! secret12 secret123 senha123 september server123 shadow12 shadow123 singapore
  skittles slipknot slipknot1 smokeweed snoopy123 snowball snowflake soccer12 soccer123 softball softball1 soleil123
  something sommer123 sommer2024 spartak1 spiderman spiderman1 spring2023 spring2024 spring2025 stalker1 starlight
  starwars starwars1 steelers steelers1 stephanie strawberry summer12 summer123 summer2020 summer2021 summer2022
  summer2023 summer2024 summer2025 sunflower sunflower1 sunshine sunshine1 sunshine12 sunshine123 superman superman1
  superman123 support1 suzuki123 sweetheart sweetie1 sweetpea swimming system32 teamo123 teamomucho teddybear
  temp1234 temporary temppass tequiero terminator terminator1 test1234 test1234! test12345 test123456 test@123
  tester123 testing1 testing123 testpassword testtest thailand thepassword thomas123 thunder1 tinkerbell tinkerbell1
  toor1234 topsecret truelove trustme1 trustno1 twitter1 undertaker user1234 user12345 username username1 valentin
  valentina vampires vasco123 veronica vfhbyf123 victoria victoria1 volleyball wachtwoord warcraft warriors
  watermelon welcome1 welcome1! welcome12 welcome123 welcome2020 welcome2021 welcome2022 welcome2023 welcome2024
  welcome2025 welcome@123 whatever whatever1 william1 winter12 winter123 winter2020 winter2021 winter2022 winter2023
  winter2024 winter2025 wizard123 woaini1314 woaini520 xxxxxxxx yamaha123 yankees1 youtube1 yuiop123 z1234567
  z1x2c3v4 zaq12wsx zaq1@wsx zaq1xsw2 zaq1zaq1 zaqwsx123 zenit1925 zombie123 zxcv1234 zxcvasdf zxcvbnm, zxcvbnm1
  zxcvbnm12 zxcvbnm123 zxczxczxc zz123456 zzzzzzzz
`
    .trim()
    .split(/\s+/),
);

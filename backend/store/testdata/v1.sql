-- A ledger of schema 1 as the first program left it. Never edited: newer programs must open and upgrade it.
BEGIN TRANSACTION;
CREATE TABLE asks (
  id     TEXT PRIMARY KEY,
  job    TEXT NOT NULL DEFAULT '',
  chat   TEXT NOT NULL DEFAULT '',
  kind   TEXT NOT NULL,
  state  TEXT NOT NULL,
  data   TEXT NOT NULL, -- ask.Ask as JSON
  answer TEXT NOT NULL DEFAULT '', -- ask.Answer as JSON
  opened INTEGER NOT NULL,
  closed INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO "asks" VALUES('old-12','old-8','main','approval','consumed','{"id":"old-12","kind":"approval","state":"open","chat":"main","jobId":"old-8","jobTitle":"job","todoId":"old-9","question":"May “pay” run with these values?","choices":["approve","edit","reject"],"tool":"pay","args":{"n":1},"digest":"e79a43b85fa14af5995eadc6a279cf14d6007f0ff6ce42079a914e2d31437836","effect":"Once it has run it cannot be undone.","opened":"2026-11-21T03:52:17.708992926Z"}','{"choice":"approve","by":"person","at":"2026-11-21T03:52:18.008760366Z"}',1795233137708992,1795233138008760);
INSERT INTO "asks" VALUES('old-19','old-15','another','approval','open','{"id":"old-19","kind":"approval","state":"open","chat":"another","jobId":"old-15","jobTitle":"job","todoId":"old-16","question":"May “pay” run with these values?","choices":["approve","edit","reject"],"tool":"pay","args":{"n":1},"digest":"e79a43b85fa14af5995eadc6a279cf14d6007f0ff6ce42079a914e2d31437836","effect":"Once it has run it cannot be undone.","opened":"2026-11-21T03:52:18.313672634Z"}','',1795233138313672,0);
INSERT INTO "asks" VALUES('old-28','old-25','main','lock','consumed','{"id":"old-28","kind":"lock","state":"open","chat":"main","jobId":"old-25","jobTitle":"job","todoId":"old-26","question":"Every nav is in use (“job #4”). Wait, cancel, or stop one of them?","choices":["wait","cancel","stop_other"],"tool":"nav","args":{"n":1},"reason":"capacity","place":1,"holders":[{"jobId":"old-20","title":"job #4","tool":"nav","leaseId":"old-23","since":"2026-11-21T03:52:18.614057985Z"}],"opened":"2026-11-21T03:52:18.914776243Z"}','{"choice":"wait","by":"person","at":"2026-11-21T03:52:19.214936353Z"}',1795233138914776,1795233139214936);
CREATE TABLE chats (
  id      TEXT PRIMARY KEY,
  title   TEXT NOT NULL,
  created INTEGER NOT NULL, -- unix microseconds, like every time in this file
  updated INTEGER NOT NULL,
  deleted INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO "chats" VALUES('main','노래 100% 크게_틀어줘',1795233137406545,1795233139817036,0);
CREATE TABLE effects ( -- the effect ledger: intent first, result after
  id      TEXT PRIMARY KEY,
  job     TEXT NOT NULL,
  todo    TEXT NOT NULL,
  tool    TEXT NOT NULL,
  digest  TEXT NOT NULL,
  args    TEXT NOT NULL,
  state   TEXT NOT NULL, -- intent, done, failed
  result  TEXT NOT NULL DEFAULT '',
  created INTEGER NOT NULL,
  settled INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO "effects" VALUES('old-13','old-8','old-9','pay','e79a43b85fa14af5995eadc6a279cf14d6007f0ff6ce42079a914e2d31437836','{"n":1}','done','',1795233138016124,1795233138016661);
CREATE TABLE grants (
  chat    TEXT NOT NULL,
  tool    TEXT NOT NULL,
  created INTEGER NOT NULL,
  PRIMARY KEY (chat, tool)
) STRICT;
INSERT INTO "grants" VALUES('main','pay',1795233138012299);
CREATE TABLE job_log (
  n     INTEGER PRIMARY KEY AUTOINCREMENT,
  job   TEXT NOT NULL,
  todo  TEXT NOT NULL DEFAULT '',
  level TEXT NOT NULL,
  line  TEXT NOT NULL,
  at    INTEGER NOT NULL
) STRICT;
INSERT INTO "job_log" VALUES(1,'old-1','old-2','info','Starting step 1: step quick',1795233137407345);
INSERT INTO "job_log" VALUES(2,'old-1','old-2','info','Chose the tool: quick {"n":1}',1795233137407565);
INSERT INTO "job_log" VALUES(3,'old-1','old-2','info','quick finished in 0.0 s.',1795233137407769);
INSERT INTO "job_log" VALUES(4,'old-1','old-3','info','Starting step 2: step ',1795233137408439);
INSERT INTO "job_log" VALUES(5,'old-8','old-9','info','Starting step 1: step pay',1795233137708163);
INSERT INTO "job_log" VALUES(6,'old-8','old-9','info','Chose the tool: pay {"n":1}',1795233137708566);
INSERT INTO "job_log" VALUES(7,'old-8','old-9','info','Asked: May “pay” run with these values?',1795233137709004);
INSERT INTO "job_log" VALUES(8,'old-8','old-9','info','Answered: approve',1795233138012299);
INSERT INTO "job_log" VALUES(9,'old-8','old-9','info','pay finished in 0.0 s.',1795233138016661);
INSERT INTO "job_log" VALUES(10,'old-15','old-16','info','Starting step 1: step pay',1795233138313196);
INSERT INTO "job_log" VALUES(11,'old-15','old-16','info','Chose the tool: pay {"n":1}',1795233138313411);
INSERT INTO "job_log" VALUES(12,'old-15','old-16','info','Asked: May “pay” run with these values?',1795233138313676);
INSERT INTO "job_log" VALUES(13,'old-20','old-21','info','Starting step 1: step nav',1795233138613801);
INSERT INTO "job_log" VALUES(14,'old-20','old-21','info','Chose the tool: nav {"n":1}',1795233138613994);
INSERT INTO "job_log" VALUES(15,'old-25','old-26','info','Starting step 1: step nav',1795233138914412);
INSERT INTO "job_log" VALUES(16,'old-25','old-26','info','Chose the tool: nav {"n":1}',1795233138914609);
INSERT INTO "job_log" VALUES(17,'old-25','old-26','info','Asked: Every nav is in use (“job #4”). Wait, cancel, or stop one of them?',1795233138914783);
INSERT INTO "job_log" VALUES(18,'old-25','old-26','info','Answered: wait',1795233139215899);
INSERT INTO "job_log" VALUES(19,'old-25','old-26','info','In line for nav (place 1)',1795233139215899);
INSERT INTO "job_log" VALUES(20,'old-29','old-30','info','Starting step 1: step song',1795233139516232);
INSERT INTO "job_log" VALUES(21,'old-29','old-30','info','Chose the tool: song {"n":1}',1795233139516482);
INSERT INTO "job_log" VALUES(22,'old-8','','info','한 줄',1795233139817258);
CREATE TABLE jobs (
  id      TEXT PRIMARY KEY,
  number  INTEGER NOT NULL UNIQUE,
  chat    TEXT NOT NULL,
  title   TEXT NOT NULL,
  state   TEXT NOT NULL,
  next    TEXT NOT NULL DEFAULT '', -- the node the graph goes on at
  wake_at INTEGER NOT NULL DEFAULT 0,
  data    TEXT NOT NULL, -- job.Run as JSON
  created INTEGER NOT NULL,
  ended   INTEGER NOT NULL DEFAULT 0,
  cleared INTEGER NOT NULL DEFAULT 0 -- taken off the board
) STRICT;
INSERT INTO "jobs" VALUES('old-1',1,'main','job','succeeded','end',0,'{"job":{"id":"old-1","number":1,"chat":"main","title":"job","request":"request","lang":"en","state":"succeeded","todos":[{"id":"old-2","title":"step quick","tool":"quick","request":"do quick","args":{"n":1},"state":"done","node":"save_result","text":"quick done","ran":true},{"id":"old-3","title":"step ","request":"do ","args":{"n":2},"state":"done","node":"save_result","text":"solved step "}],"report":"succeeded: quick done, solved step ","created":"2026-11-21T03:52:17.406823634Z","started":"2026-11-21T03:52:17.407229049Z","ended":"2026-11-21T03:52:17.408766262Z"},"cur":2}',1795233137406823,1795233137408766,0);
INSERT INTO "jobs" VALUES('old-8',2,'main','job','succeeded','end',0,'{"job":{"id":"old-8","number":2,"chat":"main","title":"job","request":"request","lang":"en","state":"succeeded","todos":[{"id":"old-9","title":"step pay","tool":"pay","request":"do pay","args":{"n":1},"state":"done","node":"save_result","text":"pay done","ran":true}],"report":"succeeded: pay done","created":"2026-11-21T03:52:17.707358559Z","started":"2026-11-21T03:52:17.707998253Z","ended":"2026-11-21T03:52:18.017283638Z"},"cur":1}',1795233137707358,1795233138017283,0);
INSERT INTO "jobs" VALUES('old-15',3,'another','job','waiting','read_approval',0,'{"job":{"id":"old-15","number":3,"chat":"another","title":"job","request":"request","lang":"en","state":"waiting","reason":"May “pay” run with these values?","todos":[{"id":"old-16","title":"step pay","tool":"pay","request":"do pay","args":{"n":1},"state":"waiting","node":"ask_approval"}],"created":"2026-11-21T03:52:18.31255709Z","started":"2026-11-21T03:52:18.313072609Z"},"cur":0,"call":{"tool":"pay","args":{"n":1},"digest":"e79a43b85fa14af5995eadc6a279cf14d6007f0ff6ce42079a914e2d31437836"},"askId":"old-19"}',1795233138312557,0,0);
INSERT INTO "jobs" VALUES('old-20',4,'main','job','running','exec',0,'{"job":{"id":"old-20","number":4,"chat":"main","title":"job","request":"request","lang":"en","state":"running","todos":[{"id":"old-21","title":"step nav","tool":"nav","request":"do nav","args":{"n":1},"state":"running","node":"exec"}],"created":"2026-11-21T03:52:18.613087848Z","started":"2026-11-21T03:52:18.613653692Z"},"cur":0,"call":{"tool":"nav","args":{"n":1},"digest":"023fef9f9fc770c0e3e17379a66fd40645d560c7dcb78d6a7bd6c0df3f6e8adf"},"exec":{"id":"old-24","boot":"old boot","began":"2026-11-21T03:52:18.614109281Z"}}',1795233138613087,0,0);
INSERT INTO "jobs" VALUES('old-25',5,'main','job','waiting','acquire',0,'{"job":{"id":"old-25","number":5,"chat":"main","title":"job","request":"request","lang":"en","state":"waiting","reason":"In line for nav (place 1)","todos":[{"id":"old-26","title":"step nav","tool":"nav","request":"do nav","args":{"n":1},"state":"waiting","node":"acquire"}],"created":"2026-11-21T03:52:18.913653098Z","started":"2026-11-21T03:52:18.914289867Z"},"cur":0,"call":{"tool":"nav","args":{"n":1},"digest":"023fef9f9fc770c0e3e17379a66fd40645d560c7dcb78d6a7bd6c0df3f6e8adf"},"inLine":true,"stood":"2026-11-21T03:52:19.215882324Z"}',1795233138913653,0,0);
INSERT INTO "jobs" VALUES('old-29',6,'main','job','running','exec',0,'{"job":{"id":"old-29","number":6,"chat":"main","title":"job","request":"request","lang":"en","state":"running","todos":[{"id":"old-30","title":"step song","tool":"song","request":"do song","args":{"n":1},"state":"running","node":"exec"}],"created":"2026-11-21T03:52:19.515654922Z","started":"2026-11-21T03:52:19.516131072Z"},"cur":0,"call":{"tool":"song","args":{"n":1},"digest":"423d8b1c672c5b67616181513b6b572b41fe371a69e07a2df392150ac6caa383"},"exec":{"id":"old-33","boot":"old boot","began":"2026-11-21T03:52:19.51662601Z"}}',1795233139515654,0,0);
CREATE TABLE journal ( -- one row per finished node of any graph
  n     INTEGER PRIMARY KEY AUTOINCREMENT,
  run   TEXT NOT NULL,
  graph TEXT NOT NULL,
  node  TEXT NOT NULL,
  next  TEXT NOT NULL,
  at    INTEGER NOT NULL
) STRICT;
INSERT INTO "journal" VALUES(1,'turn-1','turn','save','end',1795233137406719);
INSERT INTO "journal" VALUES(2,'old-4','turn','jobs','end',1795233137406829);
INSERT INTO "journal" VALUES(3,'old-1','job','pick_todo','need_tool',1795233137407345);
INSERT INTO "journal" VALUES(4,'old-1','job','need_tool','choose_tool',1795233137407484);
INSERT INTO "journal" VALUES(5,'old-1','job','choose_tool','acquire',1795233137407565);
INSERT INTO "journal" VALUES(6,'old-1','job','acquire','confirm_check',1795233137407646);
INSERT INTO "journal" VALUES(7,'old-1','job','confirm_check','exec',1795233137407697);
INSERT INTO "journal" VALUES(8,'old-1','job','exec','save_result',1795233137407769);
INSERT INTO "journal" VALUES(9,'old-1','job','save_result','release',1795233137407831);
INSERT INTO "journal" VALUES(10,'old-1','job','release','pick_todo',1795233137408387);
INSERT INTO "journal" VALUES(11,'old-1','job','pick_todo','need_tool',1795233137408439);
INSERT INTO "journal" VALUES(12,'old-1','job','need_tool','solve',1795233137408494);
INSERT INTO "journal" VALUES(13,'old-1','job','solve','save_result',1795233137408544);
INSERT INTO "journal" VALUES(14,'old-1','job','save_result','release',1795233137408591);
INSERT INTO "journal" VALUES(15,'old-1','job','release','pick_todo',1795233137408642);
INSERT INTO "journal" VALUES(16,'old-1','job','pick_todo','report',1795233137408684);
INSERT INTO "journal" VALUES(17,'old-1','job','report','done',1795233137408726);
INSERT INTO "journal" VALUES(18,'old-1','job','done','end',1795233137408771);
INSERT INTO "journal" VALUES(19,'old-10','turn','jobs','end',1795233137707404);
INSERT INTO "journal" VALUES(20,'old-8','job','pick_todo','need_tool',1795233137708163);
INSERT INTO "journal" VALUES(21,'old-8','job','need_tool','choose_tool',1795233137708324);
INSERT INTO "journal" VALUES(22,'old-8','job','choose_tool','acquire',1795233137708566);
INSERT INTO "journal" VALUES(23,'old-8','job','acquire','confirm_check',1795233137708688);
INSERT INTO "journal" VALUES(24,'old-8','job','confirm_check','ask_approval',1795233137708869);
INSERT INTO "journal" VALUES(25,'old-8','job','ask_approval','read_approval',1795233137709004);
INSERT INTO "journal" VALUES(26,'old-8','job','read_approval','confirm_check',1795233138012299);
INSERT INTO "journal" VALUES(27,'old-8','job','confirm_check','exec',1795233138016124);
INSERT INTO "journal" VALUES(28,'old-8','job','exec','save_result',1795233138016661);
INSERT INTO "journal" VALUES(29,'old-8','job','save_result','release',1795233138017059);
INSERT INTO "journal" VALUES(30,'old-8','job','release','pick_todo',1795233138017141);
INSERT INTO "journal" VALUES(31,'old-8','job','pick_todo','report',1795233138017193);
INSERT INTO "journal" VALUES(32,'old-8','job','report','done',1795233138017238);
INSERT INTO "journal" VALUES(33,'old-8','job','done','end',1795233138017289);
INSERT INTO "journal" VALUES(34,'old-17','turn','jobs','end',1795233138312569);
INSERT INTO "journal" VALUES(35,'old-15','job','pick_todo','need_tool',1795233138313196);
INSERT INTO "journal" VALUES(36,'old-15','job','need_tool','choose_tool',1795233138313289);
INSERT INTO "journal" VALUES(37,'old-15','job','choose_tool','acquire',1795233138313411);
INSERT INTO "journal" VALUES(38,'old-15','job','acquire','confirm_check',1795233138313484);
INSERT INTO "journal" VALUES(39,'old-15','job','confirm_check','ask_approval',1795233138313607);
INSERT INTO "journal" VALUES(40,'old-15','job','ask_approval','read_approval',1795233138313676);
INSERT INTO "journal" VALUES(41,'old-22','turn','jobs','end',1795233138613100);
INSERT INTO "journal" VALUES(42,'old-20','job','pick_todo','need_tool',1795233138613801);
INSERT INTO "journal" VALUES(43,'old-20','job','need_tool','choose_tool',1795233138613911);
INSERT INTO "journal" VALUES(44,'old-20','job','choose_tool','acquire',1795233138613994);
INSERT INTO "journal" VALUES(45,'old-20','job','acquire','confirm_check',1795233138614063);
INSERT INTO "journal" VALUES(46,'old-20','job','confirm_check','exec',1795233138614114);
INSERT INTO "journal" VALUES(47,'old-27','turn','jobs','end',1795233138913666);
INSERT INTO "journal" VALUES(48,'old-25','job','pick_todo','need_tool',1795233138914412);
INSERT INTO "journal" VALUES(49,'old-25','job','need_tool','choose_tool',1795233138914521);
INSERT INTO "journal" VALUES(50,'old-25','job','choose_tool','acquire',1795233138914609);
INSERT INTO "journal" VALUES(51,'old-25','job','acquire','ask_lock',1795233138914723);
INSERT INTO "journal" VALUES(52,'old-25','job','ask_lock','read_lock',1795233138914783);
INSERT INTO "journal" VALUES(53,'old-25','job','read_lock','acquire',1795233139215899);
INSERT INTO "journal" VALUES(54,'old-31','turn','jobs','end',1795233139515665);
INSERT INTO "journal" VALUES(55,'old-29','job','pick_todo','need_tool',1795233139516232);
INSERT INTO "journal" VALUES(56,'old-29','job','need_tool','choose_tool',1795233139516374);
INSERT INTO "journal" VALUES(57,'old-29','job','choose_tool','acquire',1795233139516482);
INSERT INTO "journal" VALUES(58,'old-29','job','acquire','confirm_check',1795233139516569);
INSERT INTO "journal" VALUES(59,'old-29','job','confirm_check','exec',1795233139516631);
CREATE TABLE messages (
  n       INTEGER PRIMARY KEY AUTOINCREMENT,
  id      TEXT NOT NULL UNIQUE,
  chat    TEXT NOT NULL,
  role    TEXT NOT NULL,
  text    TEXT NOT NULL,
  job     TEXT NOT NULL DEFAULT '',
  code    TEXT NOT NULL DEFAULT '',
  buttons TEXT NOT NULL DEFAULT '',
  created INTEGER NOT NULL,
  hidden  INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO "messages" VALUES(1,'turn-1','main','customer','노래 100% 크게_틀어줘','','','',1795233137406545,0);
INSERT INTO "messages" VALUES(2,'reply-1','main','shop','어느 것을 멈출까요?','','','[{"id":"cancel:x","label":"#1 노래"}]',1795233137406719,0);
INSERT INTO "messages" VALUES(3,'old-7','main','job','succeeded: quick done, solved step ','old-1','','',1795233137408771,0);
INSERT INTO "messages" VALUES(4,'old-14','main','job','succeeded: pay done','old-8','','',1795233138017289,0);
INSERT INTO "messages" VALUES(5,'turn-2','main','customer','날씨 알려줘','','','',1795233139817036,0);
CREATE TABLE turns (
  id      TEXT PRIMARY KEY, -- the customer's message
  chat    TEXT NOT NULL,
  next    TEXT NOT NULL DEFAULT '',
  done    INTEGER NOT NULL DEFAULT 0,
  data    TEXT NOT NULL, -- manager.Turn as JSON
  created INTEGER NOT NULL
) STRICT;
INSERT INTO "turns" VALUES('turn-1','main','end',1,'{"id":"turn-1","chat":"main","text":"노래 100% 크게_틀어줘","lang":"ko"}',1795233137406545);
INSERT INTO "turns" VALUES('turn-2','main','',0,'{"id":"turn-2","chat":"main","text":"날씨 알려줘","lang":"ko"}',1795233139817036);
CREATE INDEX messages_chat ON messages (chat, n);
CREATE INDEX turns_pending ON turns (created) WHERE done = 0;
CREATE INDEX jobs_live ON jobs (number) WHERE ended = 0;
CREATE INDEX jobs_ended ON jobs (ended) WHERE ended > 0;
CREATE INDEX journal_run ON journal (run, n);
CREATE INDEX job_log_job ON job_log (job, n);
CREATE INDEX asks_open ON asks (opened) WHERE state = 'open';
CREATE INDEX asks_job ON asks (job);
CREATE INDEX effects_open ON effects (created) WHERE state = 'intent';
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('messages',5);
INSERT INTO "sqlite_sequence" VALUES('journal',59);
INSERT INTO "sqlite_sequence" VALUES('job_log',22);
COMMIT;
PRAGMA user_version=1;

// An operator's commands on a SQLite file that nobody serves, too.
import './allow.test.ts';
import './disputes.test.ts';
import './explain.test.ts';
import './pepper.test.ts';
import './reporters.test.ts';
import './upkeep.test.ts';

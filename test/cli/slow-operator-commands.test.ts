// An operator’s commands where no service runs, too.
import './allow.test.ts';
import './disputes.test.ts';
import './explain.test.ts';
import './keys.test.ts';
import './reporters.test.ts';

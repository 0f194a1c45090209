// Laws with many more cases.
import './links.test.ts';
import './losses.test.ts';
import './replay.test.ts';

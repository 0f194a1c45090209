// With the commands that take long.
import './readme.test.ts';

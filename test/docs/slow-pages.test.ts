// With the blocks that take long.
import './readme.test.ts';
import './guides.test.ts';

// The same properties with many more cases.
import './copy-rows.test.ts';

// Its laws with many more cases.
import './copy-rows.test.ts';

// Its laws with many more cases.
import './check.test.ts';

// Its laws with many more cases.
import './as-of.test.ts';

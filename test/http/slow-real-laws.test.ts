// Its laws with many more cases.
import './real-laws.test.ts';

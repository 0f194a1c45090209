// Its laws with many more cases.
import './diagnose.test.ts';

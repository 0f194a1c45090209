// Its laws with many more cases.
import './sqlite-erasure.test.ts';

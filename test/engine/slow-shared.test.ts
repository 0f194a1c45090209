// Its laws with many more cases.
import './shared.test.ts';

// Its laws with many more cases.
import './hash-stream.test.ts';

// Its law with many more cases.
import './equality.test.ts';

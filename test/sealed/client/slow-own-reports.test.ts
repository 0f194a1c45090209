// Its law with many more cases.
import './own-reports.test.ts';

import { describePage } from './describe-page.ts';

describePage('README.md');

import { describeConsole } from './console.ts';

describeConsole('README.md');

import { describeConsole } from './console.ts';

describeConsole('PROTOCOL.md');

/** `Buffer` for suites in runtimes without it. Only test code uses it. */
export { Buffer } from 'buffer/';

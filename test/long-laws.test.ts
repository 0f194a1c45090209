// Laws with many more cases.
import './http/body.test.ts';
import './http/classic.test.ts';
import './http/openapi.test.ts';
import './sealed/service/publisher.test.ts';
import './store/audit-laws.test.ts';
import './store/postgres-shared.test.ts';

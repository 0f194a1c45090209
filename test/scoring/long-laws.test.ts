// The laws of scoring with 4,000 cases each; the ordinary tests try 250.
import './accusations/find.test.ts';
import './explanation.test.ts';
import './link-claim.test.ts';
import './trust.test.ts';

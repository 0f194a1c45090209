const ROWS = [
  ['Corner Shop', '2026-11-02', '1,204'],
  ['A shop with a name that is quite long, as names of companies are', '2026-10-30', '7'],
] as const;

const TABLE = (
  <>
    <thead>
      <tr>
        <th scope="col">Organisation</th>
        <th scope="col">Since</th>
        <th scope="col" class="number">
          Reports
        </th>
      </tr>
    </thead>
    <tbody>
      {ROWS.map(([name, since, reports]) => (
        <tr key={name}>
          <th scope="row">{name}</th>
          <td data-label="Since">
            <time>{since}</time>
          </td>
          <td data-label="Reports" class="number">
            {reports}
          </td>
        </tr>
      ))}
    </tbody>
  </>
);

/** Every part of the design, as pages use it. */
export const PARTS = (
  <>
    <nav aria-label="Pages">
      <ul>
        {['Overview', 'Keys', 'Reports', 'Disputes', 'Standing'].map((name, at) => (
          <li key={name}>
            <a href={`#${name}`} aria-current={at === 1 ? 'page' : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
    <h1>Parts of the design</h1>
    <p class="quiet">Small print.</p>
    <div class="notice">
      <p>
        A message with a <a href="#more">link</a>.
      </p>
    </div>
    <div class="notice ok" role="status">
      <p>The key was created.</p>
    </div>
    <div class="notice warn">
      <p>This key ends in 3 days.</p>
    </div>
    <div class="notice bad" role="alert">
      <p>The form has 2 mistakes.</p>
    </div>
    <h2>A form</h2>
    <form class="card" method="post">
      <div class="fields">
        <div class="field">
          <label for="name">Name</label>
          <input id="name" value="Corner Shop" />
        </div>
        <div class="field">
          <label for="type">Type</label>
          <select id="type">
            <option>chargeback</option>
          </select>
        </div>
      </div>
      <div class="field">
        <label for="contact">Public contact</label>
        <p class="hint" id="contact-hint">
          An address that anyone may see.
        </p>
        <input id="contact" type="email" aria-invalid="true" aria-describedby="contact-hint contact-error" />
        <p class="error" id="contact-error">
          Type an address such as help@shop.example.
        </p>
      </div>
      <div class="field">
        <label for="reason">Reason</label>
        <textarea id="reason" />
      </div>
      <fieldset class="field">
        <legend>What the key may do</legend>
        <div class="check">
          <input type="checkbox" id="may-report" checked />
          <label for="may-report">Report</label>
        </div>
        <div class="check">
          <input type="checkbox" id="may-query" />
          <label for="may-query">
            Query, with a line that is so long that it does not fit into one line of a phone
          </label>
        </div>
      </fieldset>
      <div class="actions">
        <button class="button primary">Save</button>
        <button class="button">Preview</button>
        <button class="button danger">Delete</button>
        <a class="button quiet" href="#cancel">
          Cancel
        </a>
        <button class="button primary" disabled>
          Wait
        </button>
      </div>
    </form>
    <h2>Tables</h2>
    <div class="card">
      <table class="cards">
        <caption>Becomes cards on a phone</caption>
        {TABLE}
      </table>
    </div>
    <div class="card">
      <div class="scroll" tabIndex={0} role="region" aria-label="Table that scrolls">
        <table>
          <caption>Scrolls on a phone</caption>
          {TABLE}
        </table>
      </div>
    </div>
    <h2>Facts</h2>
    <div class="card">
      <dl class="facts">
        <dt>Standing</dt>
        <dd>
          established <span class="tag ok">verified</span> <span class="tag plain">open</span>{' '}
          <span class="tag warn">disputed</span> <span class="tag">late</span>
        </dd>
        <dt>Key</dt>
        <dd>
          <code class="key">{'0123456789abcdef'.repeat(4)}</code>
        </dd>
      </dl>
      <details>
        <summary>As a program sees it</summary>
        <pre tabIndex={0} role="region" aria-label="Command">
          <code>{`curl -d 'apikey=…' https://fraud.example/api/ ${'x'.repeat(60)}`}</code>
        </pre>
      </details>
    </div>
  </>
);

import { h, type VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { unwrap } from '../../src/index.ts';
import { idOf } from '../../src/service/panel/forms.ts';
import type {
  FormOutcome,
  HiddenProps,
  PanelContent,
  PanelEngine,
  PanelPage,
  PanelRequest,
  Said,
} from '../../src/service/panel/page.ts';
import { Hidden } from '../../src/service/panel/parts.tsx';
import type { Fields } from './visiting.ts';

/**
 * The operator, who visits pages without a router and without HTTP: a test sees the outcome of a form, and writes its
 * hidden fields. `TestBrowser` visits the same pages through the service.
 */
export interface OperatorVisit {
  /** Returns the HTML of a page. */
  show(page: PanelPage, fields?: Fields): Promise<string>;
  /** Sends a form of a page. Returns the message, or the HTML that is shown once. */
  send(page: PanelPage, action: string, fields?: Fields): Promise<string>;
  /** Returns the HTML of a page whose form was refused. */
  again(page: PanelPage, action: string, fields?: Fields, errors?: Fields): Promise<string>;
  /** The same as `send`, with the refusal. */
  outcome(page: PanelPage, action: string, fields?: Fields): Promise<FormOutcome>;
}

const toHtml = ({ title, body }: PanelContent): string => renderToString(h('main', null, h('h1', null, title), body));

/** Returns the operator named Ada, who visits pages of an engine. */
export function createOperatorVisit(engine: PanelEngine, clock: { readonly nowMs: number }): OperatorVisit {
  const ask = (fields: Fields, said?: Said): PanelRequest => ({
    engine,
    visitor: { reporterId: null, reporter: null, name: 'Ada' },
    fields: new Map(Object.entries(fields)),
    to: (page) => `/panel/${page}`,
    place: {
      basePath: '',
      dialect: 'specification',
      path: '/panel',
      hashing: { prefix: 'service-', iterations: 32_000 },
    },
    form: (action) => h(Hidden, { action, token: '', said }) as VNode<HiddenProps>,
    nowMs: clock.nowMs,
  });
  const outcome: OperatorVisit['outcome'] = async (page, action, fields = {}) => page.actions![action]!(ask(fields));
  const again: OperatorVisit['again'] = async (page, action, fields = {}, errors = {}) => {
    const refused = { fields: new Map(Object.entries({ ...fields, do: action })), errors };
    const said = { at: idOf(`form-${action}`, fields), isDone: false, errors };
    return toHtml(await page.show({ ...ask(fields, said), refused, said }));
  };
  return {
    outcome,
    again,
    show: async (page, fields = {}) => toHtml(await page.show(ask(fields))),
    async send(page, action, fields = {}) {
      const sent = await outcome(page, action, fields);
      if ('errors' in sent) {
        return again(page, action, fields, sent.errors);
      }
      const done = unwrap(sent);
      return 'message' in done ? done.message : toHtml(done);
    },
  };
}

const WRITING = ['POST', 'PUT', 'PATCH', 'DELETE'];
// Types of forms, as SvelteKit lists them. A request without a type counts as a form.
const FORMS = [
  '',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'text/plain',
  'application/x-sveltekit-formdata',
];

/** Repeats the check of SvelteKit against forms of other sites, for all paths but those of the service. */
export function handle({ event, resolve }) {
  const { request, url } = event;
  const type = (request.headers.get('content-type') ?? '').split(';')[0].trim().toLowerCase();
  const isForm = WRITING.includes(request.method) && FORMS.includes(type);
  const isAllowed = url.pathname.startsWith('/fraud/') || request.headers.get('origin') === url.origin;
  if (isForm && !isAllowed) return new Response('Forbidden', { status: 403 });
  return resolve(event);
}

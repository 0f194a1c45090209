// What TypeDoc's own script leaves out. The menu of a phone is a link that looks like a button: the space bar and the
// enter key open it, too, and a screen reader is told whether it is open.
const menu = document.getElementById('tsd-toolbar-menu-trigger');
const page = document.documentElement;
if (menu) {
  const tell = () => menu.setAttribute('aria-expanded', String(page.classList.contains('has-menu')));
  new MutationObserver(tell).observe(page, { attributeFilter: ['class'] });
  tell();
  menu.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    menu.dispatchEvent(new MouseEvent('mouseup', { bubbles: true }));
  });
}

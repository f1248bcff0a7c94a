// What a customer does and sees in the window, in the window's own words. The same for every way of driving it.
import { findInPage, outlineInPage, replyInPage, untilInPage, watchReplyInPage } from './inpage.mjs';
import { patience } from './patience.mjs';

/** The selector of a test id with data attributes: of('job-card', { job, state: 'running' }). */
export function of(testid, data = {}) {
  const attributes = Object.entries(data).map(
    ([key, value]) => `[data-${key}=${JSON.stringify(String(value))}]`,
  );
  return `[data-testid=${JSON.stringify(testid)}]${attributes.join('')}`;
}

export class Shop {
  /** Milliseconds from pressing Enter to the shop's first sign of life on the page, one per order. */
  replies = [];

  /** The tickets that were ordered. */
  ordered = [];

  constructor(window) {
    this.window = window;
  }

  /** Waits until the shop is open for business: with the box, or with the sheet when something waits for who comes back. */
  opened() {
    return this.sees('the composer or the sheet', `${of('composer')}, ${of('sheet-page')}`);
  }

  find(selector) {
    return this.window.evaluate(findInPage, selector);
  }

  /** Waits until at least `count` visible elements fit, or none for 0. */
  async sees(what, selector, { count = 1, timeout = patience } = {}) {
    if (await this.window.evaluate(untilInPage, { selector, count, timeout })) return;
    const outline = await this.window.evaluate(outlineInPage);
    throw new Error(
      `waited ${timeout / 1000} s in vain for ${what}\n  ${selector} × ${count}\nThe page shows:\n${outline}`,
    );
  }

  /** Types a message and sends it with Enter. */
  async say(text) {
    await this.window.click(of('composer'));
    await this.window.write(of('composer'), text);
    await this.window.press('Enter');
  }

  /** Says something that becomes jobs, and gives their ids once their tickets stand in the chat. */
  async order(text, { jobs = 1 } = {}) {
    // Tickets that are drawn again, after another page, are not new.
    const known = new Set([...this.ordered, ...(await this.find(of('job-card'))).map((card) => card.job)]);
    const fresh = of('job-card') + [...known].map((job) => `:not([data-job="${job}"])`).join('');
    await this.window.evaluate(
      watchReplyInPage,
      `${of('job-card')}, ${of('chat-message', { role: 'shop' })}`,
    );
    await this.say(text);
    await this.sees(`the ticket of “${text}”`, fresh, { count: jobs });
    this.replies.push(await this.window.evaluate(replyInPage));
    const given = (await this.find(fresh)).map((card) => card.job);
    this.ordered.push(...given);
    return given;
  }

  async jobIs(job, state, options) {
    await this.sees(`job ${job} to be ${state}`, of('job-card', { job, state }), options);
  }

  /** Opens the panel of a waiting job and gives the question that stands there. */
  async questionOf(job, kind = 'lock') {
    await this.jobIs(job, 'waiting');
    await this.openJob(job);
    const card = `${of('job-panel', { job })} ${of('ask-card', { kind })}`;
    await this.sees(`the question of job ${job}`, card);
    return (await this.find(card)).find((c) => c.visible);
  }

  /** Answers a question with one of its buttons, as soon as the card takes clicks. */
  async answer(question, choice, { holder } = {}) {
    const card = `${of('job-panel')} ${of('ask-card', { ask: question.ask })}`;
    const button = `${card} button[data-choice="${choice}"]${holder ? `[data-holder="${holder}"]` : ''}`;
    await this.sees(`the button ${choice}`, `${button}:not(:disabled)`);
    await this.window.click(button);
    await this.sees(`the answer ${choice} to be taken`, of('ask-card', { ask: question.ask }), { count: 0 });
  }

  /** Approves the question beside the chat; where the card does not show all of it, that is looked at first. */
  async approve() {
    const [whole, yes] = [of('ask-unfold') + '[data-go]', '[data-choice="approve"]:not(:disabled)'];
    const ready = `${of('ask-card')}[data-ready]`;
    await this.sees('what approves, or shows all', `${ready} :is(${whole}, ${yes})`);
    if ((await this.find(`${ready} ${whole}`)).some((e) => e.visible)) {
      await this.window.click(`${ready} ${whole}`);
      await this.sees('what approves', `${ready} ${yes}`);
    }
    await this.window.click(`${ready} ${yes}`);
  }

  /** Opens the panel of a job from its ticket. */
  async openJob(job) {
    if ((await this.find(of('job-panel', { job }))).some((panel) => panel.visible)) return;
    const panel = of('job-panel', { job });
    await this.window.click(`${of('job-card', { job })} h3 button`);
    // A report may arrive at the very moment of the click and push the ticket away; a person would click again.
    if (await this.window.evaluate(untilInPage, { selector: panel, count: 1, timeout: 15_000 })) return;
    await this.window.click(`${of('job-card', { job })} h3 button`);
    await this.sees(`the panel of job ${job}`, panel);
  }

  /** Stops a job with the button of its panel. */
  async stop(job) {
    await this.openJob(job);
    await this.window.click(`${of('job-panel', { job })} ${of('stop-job')}`);
    await this.jobIs(job, 'canceled');
  }

  /** Stops whatever still runs or waits, from the board, and begins a new chat: the next visitor finds the shop empty. */
  async tidy() {
    const live = `${of('waiting-tile')}, ${of('worker-tile', { state: 'running' })}, ${of('worker-tile', { state: 'waiting' })}`;
    while ((await this.find(live)).length > 0) {
      await this.window.click(live);
      await this.window.click(`${of('job-panel')} ${of('stop-job')}`);
      await this.sees('the job to be stopped', `${of('job-panel')} ${of('stop-job')}`, { count: 0 });
    }
    await this.goTo('chat');
    await this.window.press('Control+n');
    await this.sees('an empty chat', of('job-card'), { count: 0 });
  }

  /** Opens the dock with the monitor and the decks, which never opens by itself. */
  async openDock() {
    const toggle = of('dock-toggle');
    await this.sees('the bar of what plays', toggle);
    if ((await this.find(`${toggle}[aria-expanded="true"]`)).length === 0) await this.window.click(toggle);
    await this.sees('the dock open', `${toggle}[aria-expanded="true"]`);
  }

  /** The names of all pages that there are, as the menu lists them. */
  async pages() {
    const room = `[role="menuitem"][data-testid^="nav-"]`;
    const open = async () => {
      await this.sees('the menu of rooms', of('nav-more'));
      await this.window.click(of('nav-more'));
      await this.sees('its rooms', room);
    };
    await open().catch(open); // a menu may be put away again while it is read
    const rooms = await this.find(room);
    await this.window.press('Escape');
    await this.sees('the menu put away', room, { count: 0 });
    return rooms.map(({ testid }) => testid.slice('nav-'.length));
  }

  /** Opens a page by its name in the menu: chat, toolbox, models, … */
  async goTo(page) {
    const room = of(`nav-${page}`);
    const choose = async () => {
      if (!(await this.find(room)).some((row) => row.visible)) {
        await this.sees('the menu of rooms', of('nav-more'));
        await this.window.click(of('nav-more'));
      }
      await this.sees(`${page} in the menu`, room);
      await this.window.click(room);
    };
    await choose().catch(choose); // a menu may be put away again while it is read
    await this.sees(`the page ${page}`, `main[data-page="${page}"]`); // the one before stays until it is loaded
  }
}

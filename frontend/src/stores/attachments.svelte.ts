import { api, toApiError, type ApiError } from '$lib/api';
import type { AttachmentsView, McpPrompt, McpResource, event } from '$lib/api/types';

import { attempt } from './toasts.svelte';

/** A file that is being handed in with what is typed, or that was refused. */
export class Chip {
  static #next = 1;
  readonly key = Chip.#next++;
  readonly name: string;
  /** What the shop made of it, once it was read. */
  attachment = $state.raw<event.Attachment>();
  /** Why it was not taken. */
  refusal = $state.raw<ApiError>();
  /** The library keeps it, too. */
  kept = $state(false);

  constructor(name: string) {
    this.name = name;
  }

  get reading(): boolean {
    return !this.attachment && !this.refusal;
  }

  /** One that came with an earlier message, which is being changed. */
  static of(attachment: event.Attachment): Chip {
    const chip = new Chip(attachment.name);
    chip.attachment = attachment;
    return chip;
  }
}

/** What is handed in with messages: the files of what is typed, by chat, and the pictures of what was said. */
export class Attachments {
  /** What can be handed in; asked for when somebody is about to. */
  view = $state.raw<AttachmentsView>();
  /** Those of what is typed and not sent yet, by chat. */
  readonly #typed = $state<Record<string, Chip[]>>({});
  /** Those of what was typed before an earlier request was put into the box to be changed, by chat. */
  readonly #aside: Record<string, Chip[] | undefined> = {};
  /** Hears that a file of a chat was read. */
  onread: (chat: string) => void = () => undefined;
  readonly #pictures = new Map<string, Promise<string>>();

  /** Asks what can be handed in, and has the reader made ready. */
  async load(): Promise<void> {
    try {
      this.view = await api.attachments();
    } catch {
      // What was known before is still true, or somebody asks again.
    }
  }

  of = (chat: string): Chip[] => this.#typed[chat] ?? [];

  /** Those that wait until an earlier request is not changed any more. */
  aside = (chat: string): Chip[] => this.#aside[chat] ?? [];

  /** Whether they do. */
  swapped = (chat: string): boolean => this.#aside[chat] !== undefined;

  put(chat: string, chips: Chip[]): void {
    this.#typed[chat] = chips;
  }

  /** Puts the files of a request in the place of those of what is typed, until it is not changed any more. */
  swap(chat: string, chips: Chip[]): void {
    this.#aside[chat] ??= this.of(chat);
    this.put(chat, chips);
  }

  swapBack(chat: string): void {
    const was = this.#aside[chat];
    if (!was) return;
    this.#aside[chat] = undefined;
    this.put(chat, was);
  }

  remove(chat: string, chip: Chip): void {
    this.put(
      chat,
      this.of(chat).filter((c) => c.key !== chip.key),
    );
  }

  /** Hands files in by their paths. */
  addPaths(chat: string, paths: string[]): void {
    for (const path of paths)
      void this.#add(chat, path.split(/[/\\]/).pop() ?? path, () => api.attach(path));
  }

  /** Hands in what the page itself was given, as from the clipboard. */
  addFiles(chat: string, files: { name: string; file: File }[]): void {
    for (const { name, file } of files)
      void this.#add(chat, name, async () => api.attachData(name, await base64(file)));
  }

  /** Hands in what the desktop's clipboard holds, where the page is not shown it: a picture gets this name. */
  async addPasted(chat: string, name: string): Promise<void> {
    const { paths, picture } = await api.attachPasted(name);
    this.addPaths(chat, paths ?? []);
    if (picture) await this.#add(chat, name, () => Promise.resolve(picture));
  }

  /** Hands in what an outside server has to be read; values fill in a form of addresses. */
  addResource(chat: string, resource: McpResource, values: Record<string, string>): void {
    const { server, address, name } = resource;
    void this.#add(chat, name, () => api.attachResource({ server, address, values }));
  }

  /** Asks an outside server for what a prompt says, to go with what is typed as the server's words. */
  addPrompt(chat: string, prompt: McpPrompt): void {
    void this.#add(chat, prompt.name, () => this.#prompt(chat, prompt, {}));
  }

  /** The same of one that was told something first. Why the server refuses is given, and nothing goes with what is typed then, nor where it is not wanted by the time it comes. */
  async addToldPrompt(
    chat: string,
    prompt: McpPrompt,
    values: Record<string, string>,
    wanted: () => boolean,
  ): Promise<string | undefined> {
    try {
      const attachment = await this.#prompt(chat, prompt, values);
      if (!wanted()) return undefined;
      await this.#add(chat, prompt.name, () => Promise.resolve(attachment));
      return undefined;
    } catch (thrown) {
      return toApiError(thrown).message;
    }
  }

  #prompt = (
    chat: string,
    { server, prompt }: McpPrompt,
    values: Record<string, string>,
  ): Promise<event.Attachment> => api.attachPrompt({ chat, server, prompt, values });

  /** The values that a server offers for a field of a prompt which is for a chat. */
  completePrompt = (
    chat: string,
    { server, prompt }: McpPrompt,
    values: Record<string, string>,
    field: string,
    typed: string,
  ): Promise<string[]> =>
    api.completePrompt({ chat, server, prompt, values }, field, typed).catch(() => []);

  /** All that a prompt says. */
  promptText = (id: string): Promise<string> => api.promptText(id);

  async #add(chat: string, name: string, take: () => Promise<event.Attachment>): Promise<void> {
    const chip = new Chip(name);
    this.put(chat, [...this.of(chat), chip]);
    try {
      const attachment = await take();
      // The same file twice says nothing more.
      const twice = this.of(chat).some((c) => c.attachment?.id === attachment.id);
      if (twice) this.remove(chat, chip);
      else chip.attachment = attachment;
      this.onread(chat);
    } catch (thrown) {
      chip.refusal = toApiError(thrown);
    }
  }

  /** Asks for files, with a title above the dialog and what is said of the formats; none when the person changed their mind. */
  choose = (title: string, formats: string): Promise<string[]> =>
    api.chooseAttachments(title, formats);

  /** Puts one into the library, where it stays when its message goes. */
  keep = (a: event.Attachment): Promise<unknown> => api.keepAttachment(a.id, a.name);

  /** The id of the document that was read of one. */
  document = (a: event.Attachment): Promise<string> => api.attachmentDocument(a.id, a.name);

  /** A picture as an address that holds it: small for a list, or large. */
  picture(id: string, large = false): Promise<string> {
    const key = `${id}${large ? '+' : ''}`;
    let known = this.#pictures.get(key);
    if (!known) {
      known = api.attachmentPicture(id, large);
      known.catch(() => this.#pictures.delete(key));
      this.#pictures.set(key, known);
    }
    return known;
  }

  /** Fetches a picture that an answer names by its address; undefined when that failed, which is said in the corner. */
  fetchPicture = (chat: string, address: string): Promise<string | undefined> =>
    attempt(() => api.answerPicture(chat, address));
}

const base64 = (file: File): Promise<string> =>
  new Promise((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => {
      const address = reader.result as string;
      done(address.slice(address.indexOf(',') + 1));
    };
    reader.onerror = () => failed(reader.error ?? new Error('unreadable'));
    reader.readAsDataURL(file);
  });

import { api } from '$lib/api';
import type { AboutFacts, DiagnosisPart, LicencePart, Spec } from '$lib/api/types';

import { Source } from './source.svelte';

/** The manuals of all tools, of which the help is made. */
class Manuals extends Source<Spec[]> {
  readonly kinds = [] as const;

  protected read(): Promise<Spec[]> {
    return api.tools();
  }
}

/** Of the program itself: what it is, what it carries, and the report for whoever helps. */
export class Help extends Source<AboutFacts> {
  readonly kinds = [] as const;
  readonly manuals = new Manuals();

  /** When the program last broke off, until somebody has looked at that; RFC 3339. */
  crashed = $state('');
  /** The report is being looked at. */
  reporting = $state(false);
  /** The licences are being looked at. */
  licensing = $state(false);

  protected read(): Promise<AboutFacts> {
    return api.about();
  }

  /** Makes the report anew. */
  report = (): Promise<DiagnosisPart[]> => api.diagnosis();
  /** Asks where to and saves a report just as it was shown; '' when the person changed their mind. */
  save = (title: string, parts: DiagnosisPart[]): Promise<string> =>
    api.saveDiagnosis(title, parts);
  licences = (): Promise<LicencePart[]> => api.licences();

  /** Puts away that the program broke off; its report stays. */
  async crashSeen(): Promise<void> {
    if (!this.crashed) return;
    this.crashed = '';
    await api.crashSeen();
  }
}

import { api } from '$lib/api';
import type { Project, Snapshot } from '$lib/api/types';

/** What groups chats: projects, and folders, which carry nothing. */
export class Projects {
  readonly kinds = ['projects.changed'] as const;
  list = $state.raw<Project[]>([]);

  find = (id: string): Project | undefined => this.list.find((p) => p.id === id);

  load(snapshot: Snapshot): void {
    this.list = snapshot.projects ?? [];
  }

  #asked = 0;

  apply(): void {
    const asked = ++this.#asked;
    void api.projects().then(
      // An answer that was overtaken, by another or by a change made here, tells of before.
      (list) => asked === this.#asked && (this.list = list),
      () => undefined,
    );
  }

  /** Makes a project, or changes the one with its id. */
  async save(project: Project): Promise<Project> {
    const saved = await api.saveProject(project);
    this.list = [...this.list.filter((p) => p.id !== saved.id), saved].sort((a, b) =>
      a.title.localeCompare(b.title),
    );
    this.apply();
    return saved;
  }

  async remove(id: string): Promise<void> {
    await api.removeProject(id);
    this.list = this.list.filter((p) => p.id !== id);
    this.apply();
  }
  addFact = (project: string, text: string): Promise<void> => api.addProjectFact(project, text);
}

import { api } from '$lib/api';
import type { Project, Snapshot } from '$lib/api/types';

/** What groups chats. One that carries nothing is a folder. */
export class Projects {
  readonly kinds = ['projects.changed'] as const;
  list = $state.raw<Project[]>([]);

  find = (id: string): Project | undefined => this.list.find((p) => p.id === id);

  load(snapshot: Snapshot): void {
    this.list = snapshot.projects ?? [];
  }

  apply(): void {
    void api.projects().then(
      (list) => (this.list = list),
      () => undefined,
    );
  }

  /** Makes a project, or changes the one with its id. */
  async save(project: Project): Promise<Project> {
    const saved = await api.saveProject(project);
    this.list = [...this.list.filter((p) => p.id !== saved.id), saved].sort((a, b) =>
      a.title.localeCompare(b.title),
    );
    return saved;
  }

  remove = (id: string): Promise<void> => api.removeProject(id);
  addFact = (project: string, text: string): Promise<void> => api.addProjectFact(project, text);
}

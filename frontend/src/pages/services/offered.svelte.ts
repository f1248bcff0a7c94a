import { api, toApiError, type ApiError } from '$lib/api';
import type { ServiceInfo } from '$lib/api/types';

/** What the counter offers, and the files it could not take. They are read when the program opens, so once is enough. */
export class Offered {
  view = $state.raw<ServiceInfo[]>();
  /** Why it could not be read, while that is so. */
  error = $state.raw<ApiError>();

  async load(): Promise<void> {
    try {
      this.view = await api.services();
      this.error = undefined;
    } catch (thrown) {
      this.error = toApiError(thrown);
    }
  }
}

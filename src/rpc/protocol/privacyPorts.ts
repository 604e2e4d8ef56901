import type { Privacy } from '../../privacy/privacy.ts'
import type { GroupKind } from '../../privacy/sending/markers.ts'
import type { PrivateFilters } from '../events/privateFilters.ts'
import type { Requester } from './requester.ts'

/** Private transactions of one key, and the filters on their logs. */
export interface PrivacyPort extends Privacy {
  readonly filters: PrivateFilters
}

/** Private transactions of the caller. */
export interface PrivacyFor {
  /** Who keeps the groups. */
  readonly kind: GroupKind
  /** Those that a requester may see; throws an RpcError if it may see none. */
  of(requester: Requester): PrivacyPort
}

/** Logs of private transactions of one key, as they come. */
export type PrivateLogsPort = Pick<Privacy, 'maySee' | 'onLogs'>

/** Logs of private transactions of the caller. */
export interface PrivateLogsFor extends Pick<PrivacyFor, 'kind'> {
  of(requester: Requester): PrivateLogsPort
}

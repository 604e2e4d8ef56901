import { alias } from '../../protocol/method.ts'
import { privx_findFlexiblePrivacyGroup } from './findFlexiblePrivacyGroup.ts'

/** The name that the method had when flexible groups were called on-chain groups. */
export const privx_findOnchainPrivacyGroup = alias(privx_findFlexiblePrivacyGroup, 'privx_findOnchainPrivacyGroup')

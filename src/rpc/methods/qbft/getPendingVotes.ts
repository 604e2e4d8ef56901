import { getPendingVotes } from '../../validators/getPendingVotes.ts'

export const qbft_getPendingVotes = getPendingVotes('qbft')

import { getPendingVotes } from '../shared/getPendingVotes.ts'

export const qbft_getPendingVotes = getPendingVotes('qbft')

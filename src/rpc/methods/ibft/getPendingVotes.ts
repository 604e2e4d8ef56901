import { getPendingVotes } from '../shared/getPendingVotes.ts'

export const ibft_getPendingVotes = getPendingVotes('ibft')

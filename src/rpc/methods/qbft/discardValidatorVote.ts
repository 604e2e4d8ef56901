import { discardValidatorVote } from '../shared/discardValidatorVote.ts'

export const qbft_discardValidatorVote = discardValidatorVote('qbft')

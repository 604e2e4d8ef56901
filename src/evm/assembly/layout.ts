// Numbers that AssemblyScript and TypeScript share. Plain constants, so that both compile this file. Words are 256-bit numbers as four little-endian 64-bit limbs; an address word has 20 significant bytes.

// Halt codes: positions in `halts` of message.ts. Up to SELFDESTRUCT a frame succeeded.
export const HALT_STOP = 0;
export const HALT_RETURN = 1;
export const HALT_SELFDESTRUCT = 2;
export const HALT_REVERT = 3;
export const HALT_OUT_OF_GAS = 4;
export const HALT_INVALID_OPCODE = 5;
export const HALT_STACK_UNDERFLOW = 6;
export const HALT_STACK_OVERFLOW = 7;
export const HALT_INVALID_JUMP = 8;
export const HALT_STATIC_VIOLATION = 9;
export const HALT_RETURN_DATA_BOUNDS = 10;
export const HALT_CALL_DEPTH = 11;
export const HALT_INSUFFICIENT_BALANCE = 12;
export const HALT_CREATE_COLLISION = 13;
export const HALT_CODE_TOO_LARGE = 14;
export const HALT_INVALID_CODE = 15;
export const HALT_INIT_CODE_TOO_LARGE = 16;
export const HALT_NONCE_OVERFLOW = 17;
export const HALT_PRECOMPILE_FAILURE = 18;
export const HALT_CODE_DEPOSIT_OUT_OF_GAS = 19;
/** The run can go on: it has spent what it may at once. */
export const PAUSED = 101;

// Opcode table: 256 entries of 8 bytes.
export const OP_GAS = 0; // i32, negative: undefined
export const OP_IN = 4; // u16, words taken
export const OP_OUT = 6; // u16, words left

// Gas schedule and limits: u32 each.
export const S_RULES = 0; // bit set of RULE_*
export const S_STACK_SIZE = 4;
export const S_MAX_CODE_SIZE = 8;
export const S_MAX_INIT_CODE_SIZE = 12;
export const S_EXP_BYTE = 16;
export const S_COLD_ACCOUNT = 20; // whole cost of the first access
export const S_WARM_ACCESS = 24;
export const S_COLD_SLOT = 28; // whole cost of the first access
export const S_STORE_KEEP = 32; // SSTORE of the current value, or of a slot already changed
export const S_STORE_SET = 36;
export const S_STORE_RESET = 40;
export const S_STORE_CLEAR_REFUND = 44;
export const S_NEW_ACCOUNT_BY_DESTROY = 48;
export const S_DESTROY_REFUND = 52;
export const S_INIT_CODE_WORD = 56;
export const SCHEDULE_BYTES = 60;

export const RULE_CREATE_NEEDS_DEPOSIT = 1; // a creation that cannot pay for its code fails (Homestead)
export const RULE_KEEP_A_64TH = 2; // calls get at most all but one 64th of the gas (EIP-150)
export const RULE_EMPTY_IS_DEAD = 4; // empty accounts count as absent, contracts start with nonce 1 (EIP-161)
export const RULE_NET_STORE = 8; // SSTORE is priced by the value at the transaction's start (EIP-1283, 2200)
export const RULE_STORE_SENTRY = 16; // SSTORE needs more than the call stipend (EIP-2200)
export const RULE_ACCESS_SETS = 32; // first accesses cost more (EIP-2929)
export const RULE_REJECT_EF = 64; // no new code that starts with 0xEF (EIP-3541)
export const RULE_DESTROY_ONLY_NEW = 128; // SELFDESTRUCT removes only what the transaction created (EIP-6780)
export const RULE_DELEGATION = 256; // accounts may point to another's code (EIP-7702)
export const RULE_SHARED_CHANGES = 512; // frames share one set of pending changes: Besu's private transactions

// Environment: words, in this order.
export const E_ORIGIN = 0;
export const E_GAS_PRICE = 32;
export const E_COINBASE = 64;
export const E_TIMESTAMP = 96;
export const E_NUMBER = 128;
export const E_RANDOMNESS = 160; // difficulty, or PREVRANDAO since the merge
export const E_GAS_LIMIT = 192;
export const E_CHAIN_ID = 224;
export const E_BASE_FEE = 256;
export const E_BLOB_BASE_FEE = 288;
export const ENVIRONMENT_BYTES = 320;

// A message from outside: words, then flags.
export const M_FROM = 0;
export const M_TO = 32;
export const M_CODE_ADDRESS = 64;
export const M_VALUE = 96;
export const M_SALT = 128;
export const M_FLAGS = 160; // u32 of MESSAGE_*
export const MESSAGE_BYTES = 164;
export const MESSAGE_STATIC = 1;
export const MESSAGE_KEEPS_VALUE = 2;
export const MESSAGE_AT_ADDRESS = 4; // a creation at M_TO

// Account entry.
export const A_ADDRESS = 0; // 20 bytes, little-endian
export const A_FLAGS = 20; // u32 of ACCOUNT_*: journaled
export const A_NONCE = 24; // u64
export const A_BALANCE = 32; // word
export const A_CODE_HASH = 64; // 32 bytes as hashed
export const A_CODE = 96; // code entry, 0: not loaded
export const A_NEXT = 100; // in the hash chain
export const A_WARM_TX = 104; // u64, the transaction in which it is warm; with SEEN of accounts.ts if it was only accessed
export const A_EPOCH = 112; // u64, incremented when all slots are removed at once
export const A_SLOTS = 120; // first of its slots
export const A_DIRTY_SLOTS = 124; // first of its changed slots
export const A_HOST_NONCE = 128;
export const A_HOST_BALANCE = 136;
export const A_HOST_CODE_HASH = 168;
export const A_MARKS = 200; // u32 of MARK_*: not journaled
export const ACCOUNT_BYTES = 208;

export const ACCOUNT_EXISTS = 1;
// Flags that last for one transaction.
export const ACCOUNT_TOUCHED = 2;
export const ACCOUNT_CREATED = 4;
export const ACCOUNT_DESTROYED = 8;

export const MARK_DIRTY = 1;
export const MARK_WIPED = 2; // all of the host's storage was removed
export const MARK_HOST_EXISTS = 4;
export const MARK_HOST_STORAGE = 8;
export const MARK_READ_ONLY = 16; // the host's, and not to be changed

// Slot entry. Its key and values are words.
export const L_KEY = 0;
export const L_VALUE = 32;
export const L_ORIGINAL = 64; // at the start of transaction L_ORIGINAL_TX
export const L_HOST_VALUE = 96;
export const L_ACCOUNT = 128;
export const L_NEXT = 132; // in the hash chain
export const L_WARM_TX = 136; // u64, as A_WARM_TX
export const L_ORIGINAL_TX = 144; // u64
export const L_EPOCH = 152; // u64, the account's epoch that the values belong to
export const L_NEXT_OF_ACCOUNT = 160;
export const L_NEXT_DIRTY = 164;
export const L_DIRTY = 168; // u32, 1: among the account's changed slots
export const SLOT_BYTES = 176;

// Code entry: the bytes follow, then zeros.
export const C_HASH = 0;
export const C_LENGTH = 32;
export const C_NEXT = 36; // in the hash chain
export const C_ANALYSIS = 40; // 0: not analysed
export const C_TABLE = 44; // the opcode table that the analysis is for
export const C_LOADED = 52; // u32, 1: the host has it
export const C_BYTES = 64;

// Log record: address and topics big-endian.
export const G_ADDRESS = 0; // 20 bytes
export const G_TOPICS = 20; // u32, how many
export const G_DATA = 24; // u32, bytes of data
export const G_BODY = 28; // topics, then data

// Call frame.
export const R_PC = 0; // u32
export const R_SP = 4; // u32
export const R_STACK = 8; // u32, address of the bottom word
export const R_MEMORY = 12; // u32
export const R_MEMORY_BYTES = 16; // u32
export const R_GAS = 24; // i64
export const R_CODE = 32; // u32, address of the first byte
export const R_CODE_LENGTH = 36; // u32
export const R_ANALYSIS = 40; // u32
export const R_DATA = 44; // u32
export const R_DATA_LENGTH = 48; // u32
export const R_OUTPUT = 52; // u32, where in its memory the caller wants the output
export const R_OUTPUT_LENGTH = 56; // u32
export const R_ACCOUNT = 60; // u32, entry of the account that runs
export const R_KIND = 64; // u32
export const R_STATIC = 68; // u32
export const R_SNAPSHOT = 72; // u32
export const R_OWN_CODE = 76; // u32, code entry to free at the end: init code
export const R_START_GAS = 80; // i64
export const R_SELF = 96; // word
export const R_CALLER = 128; // word
export const R_VALUE = 160; // word

// Frame kinds.
export const KIND_CALL = 0;
export const KIND_CALLCODE = 1;
export const KIND_DELEGATECALL = 2;
export const KIND_STATICCALL = 3;
export const KIND_CREATE = 4;
export const KIND_CREATE2 = 5;
export const KIND_SELFDESTRUCT = 6;

// The step record of a tracer.
export const T_PC = 0; // u32
export const T_OP = 4; // u32
export const T_DEPTH = 8; // u32, 0 for the outermost frame
export const T_STACK = 12; // u32, address of the bottom word
export const T_STACK_WORDS = 16; // u32
export const T_MEMORY = 20; // u32, address
export const T_MEMORY_BYTES = 24; // u32
export const T_RETURN_DATA = 28; // u32, address
export const T_RETURN_BYTES = 32; // u32
export const T_HALT = 36; // i32, -1: no halt
export const T_GAS = 40; // i64, before the step
export const T_COST = 48; // i64, known after the step
export const T_PASSED_GAS = 56; // i64, the part of the cost that was passed to another frame
export const T_REFUND = 64; // i64
export const T_SELF = 72; // u32, address of the frame's address word
export const STEP_BYTES = 76;
// After the step record, in the tracing build: one byte per opcode, set if its steps are not reported.
export const T_MUTED = STEP_BYTES;
export const MUTED_BYTES = 256;

// What a frame runs.
export const RUNS_CODE = 0;
export const RUNS_PRECOMPILE = 1;
export const RUNS_NOTHING = 2;

// The frame record of a tracer.
export const F_KIND = 0; // u32
export const F_DEPTH = 4; // u32
export const F_FROM = 8; // word
export const F_TO = 40; // word
export const F_VALUE = 72; // word
export const F_GAS = 104; // i64, available on entry, used on exit
export const F_DATA = 112; // u32, address of input or output
export const F_DATA_BYTES = 116; // u32
export const F_HALT = 120; // i32, on exit
export const F_RUNS = 124; // u32 of RUNS_*
export const F_CODE_ADDRESS = 128; // word, whose code runs
export const FRAME_EVENT_BYTES = 160;

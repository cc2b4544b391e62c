/** Schema of the parts of SARIF 2.1.0 (§3.13 and later) that straightedge writes. */
import { Ajv, type ErrorObject } from 'ajv';

const message = {
  type: 'object',
  required: ['text'],
  additionalProperties: false,
  properties: { text: { type: 'string', minLength: 1 }, markdown: { type: 'string', minLength: 1 } },
};
const location = {
  type: 'object',
  required: ['physicalLocation'],
  additionalProperties: false,
  properties: {
    id: { type: 'integer', minimum: 0 },
    message,
    physicalLocation: {
      type: 'object',
      required: ['artifactLocation'],
      additionalProperties: false,
      properties: {
        artifactLocation: {
          type: 'object',
          required: ['uri'],
          properties: { uri: { type: 'string', pattern: '^[^\\s<>"{}|\\\\^`]+$' } },
        },
        region: {
          type: 'object',
          required: ['startLine'],
          additionalProperties: false,
          properties: {
            startLine: { type: 'integer', minimum: 1 },
            startColumn: { type: 'integer', minimum: 1 },
            endLine: { type: 'integer', minimum: 1 },
          },
        },
      },
    },
  },
};
const codeFlow = {
  type: 'object',
  required: ['threadFlows'],
  additionalProperties: false,
  properties: {
    threadFlows: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['locations'],
        additionalProperties: false,
        properties: {
          id: { type: 'string' },
          locations: {
            type: 'array',
            minItems: 1,
            items: {
              type: 'object',
              additionalProperties: false,
              properties: { executionOrder: { type: 'integer', minimum: -1 }, location },
            },
          },
        },
      },
    },
  },
};
/** Section 3.55: texts that replace regions of files. */
const fix = {
  type: 'object',
  additionalProperties: false,
  required: ['artifactChanges'],
  properties: {
    description: message,
    artifactChanges: {
      type: 'array',
      minItems: 1,
      uniqueItems: true,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['artifactLocation', 'replacements'],
        properties: {
          artifactLocation: {
            type: 'object',
            additionalProperties: false,
            required: ['uri'],
            properties: { uri: { type: 'string' } },
          },
          replacements: {
            type: 'array',
            minItems: 1,
            items: {
              type: 'object',
              additionalProperties: false,
              required: ['deletedRegion'],
              properties: {
                deletedRegion: {
                  type: 'object',
                  additionalProperties: false,
                  required: ['startLine', 'startColumn', 'endLine', 'endColumn'],
                  properties: {
                    startLine: { type: 'integer', minimum: 1 },
                    startColumn: { type: 'integer', minimum: 1 },
                    endLine: { type: 'integer', minimum: 1 },
                    endColumn: { type: 'integer', minimum: 1 },
                  },
                },
                insertedContent: {
                  type: 'object',
                  additionalProperties: false,
                  properties: { text: { type: 'string' } },
                },
              },
            },
          },
        },
      },
    },
  },
};

const level = { enum: ['none', 'note', 'warning', 'error'] };
const schema = {
  type: 'object',
  required: ['version', 'runs'],
  additionalProperties: false,
  properties: {
    $schema: { type: 'string' },
    version: { const: '2.1.0' },
    runs: {
      type: 'array',
      items: {
        type: 'object',
        required: ['tool', 'results'],
        additionalProperties: false,
        properties: {
          tool: {
            type: 'object',
            required: ['driver'],
            properties: {
              driver: {
                type: 'object',
                required: ['name', 'version', 'rules'],
                properties: {
                  rules: {
                    type: 'array',
                    uniqueItems: true,
                    items: {
                      type: 'object',
                      required: ['id'],
                      properties: {
                        shortDescription: message,
                        defaultConfiguration: { properties: { level } },
                      },
                    },
                  },
                },
              },
            },
          },
          invocations: {
            type: 'array',
            items: {
              type: 'object',
              required: ['executionSuccessful'],
              additionalProperties: false,
              properties: {
                executionSuccessful: { type: 'boolean' },
                toolExecutionNotifications: {
                  type: 'array',
                  items: {
                    type: 'object',
                    required: ['message'],
                    additionalProperties: false,
                    properties: { level, message, locations: { type: 'array', items: location } },
                  },
                },
              },
            },
          },
          results: {
            type: 'array',
            items: {
              type: 'object',
              required: ['message'],
              additionalProperties: false,
              properties: {
                ruleId: { type: 'string' },
                ruleIndex: { type: 'integer', minimum: 0, maximum: 2 },
                level,
                message,
                locations: { type: 'array', items: location },
                codeFlows: { type: 'array', items: codeFlow },
                fixes: { type: 'array', items: fix, uniqueItems: true },
                relatedLocations: { type: 'array', items: location, uniqueItems: true },
              },
            },
          },
        },
      },
    },
  },
};

/** The errors of a log against the schema. */
export function sarifFaults(log: unknown): readonly ErrorObject[] {
  const ajv = new Ajv({ strict: false, allErrors: true });
  ajv.validate(schema, log);
  return ajv.errors ?? [];
}

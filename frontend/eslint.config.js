import js from '@eslint/js';
import prettier from 'eslint-config-prettier';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';

import svelteConfig from './svelte.config.js';

export default ts.config(
  { ignores: ['dist/', 'wailsjs/', 'node_modules/', 'test-results/'] },
  js.configs.recommended,
  ...ts.configs.strictTypeChecked,
  ...svelte.configs.recommended,
  prettier,
  ...svelte.configs.prettier,
  {
    languageOptions: { globals: { ...globals.browser } },
    rules: {
      'no-undef': 'off', // TypeScript checks this, and knows more names.
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/no-invalid-void-type': 'off', // bound calls that answer nothing
      '@typescript-eslint/no-unnecessary-condition': 'off', // Go's empty list is null here, whatever its type says
      '@typescript-eslint/no-meaningless-void-operator': 'off', // void value: what an effect watches
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/restrict-plus-operands': ['error', { allowNumberAndString: true }],
      // Sets and maps inside one function are not watched, and need not be.
      'svelte/prefer-svelte-reactivity': 'off',
      'no-restricted-properties': [
        'error',
        {
          object: 'navigator',
          property: 'clipboard',
          message: 'copy of lib/ui/copy says it when the clipboard is not to be had.',
        },
      ],
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: ['**/wailsjs/*', '$wails/*'],
              message: 'Only lib/api and lib/events touch the bindings.',
            },
          ],
        },
      ],
    },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: {
      parserOptions: { parser: ts.parser, svelteConfig },
    },
  },
  {
    languageOptions: {
      parserOptions: { projectService: true, extraFileExtensions: ['.svelte'] },
    },
  },
  { files: ['*.js', '*.ts'], ...ts.configs.disableTypeChecked },
  {
    files: ['**/*.svelte'],
    rules: {
      // What a generic component hands to a snippet has no type for the linter; svelte-check knows it.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-redundant-type-constituents': 'off', // nor has a component's type parameter
    },
  },
  {
    files: ['src/**/*.svelte', 'src/**/*.ts'],
    ignores: ['src/stores/**', 'src/lib/api/**', 'src/dev/**', 'src/test/**', '**/*.test.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: '(^\\$lib|/lib)/api(/index)?$',
              allowTypeImports: true,
              message: 'Components read stores; stores read the API.',
            },
          ],
        },
      ],
    },
  },
  {
    files: ['src/dev/**'], // stands in for Go, whose errors are plain objects
    rules: { '@typescript-eslint/only-throw-error': 'off' },
  },
  {
    files: ['src/lib/ui/copy.ts'],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    files: ['src/lib/api/**', 'src/lib/events/**', 'src/dev/**'],
    rules: { 'no-restricted-imports': 'off' },
  },
  {
    files: ['**/*.test.ts', 'src/test/**'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
);

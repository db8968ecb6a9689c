import theme from 'vitepress/theme';
import './contrast.css';
import ServerLink from './ServerLink.vue';

export default {
  extends: theme,
  enhanceApp({ app }) {
    app.component('ServerLink', ServerLink);
  },
};
